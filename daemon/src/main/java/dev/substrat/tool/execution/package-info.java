/// Executing and recording tool calls: in a transaction, with a row written first, or in the
/// background.
@NullMarked
package dev.substrat.tool.execution;

import org.jspecify.annotations.NullMarked;
