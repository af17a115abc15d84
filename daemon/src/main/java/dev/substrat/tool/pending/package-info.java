/// Pending calls: calls whose result arrives later through the inbox.
@NullMarked
package dev.substrat.tool.pending;

import org.jspecify.annotations.NullMarked;
