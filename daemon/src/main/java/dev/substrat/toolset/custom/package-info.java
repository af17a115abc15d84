/// Custom tools: built from configuration, executed, shown in spaces, answered by people and
/// services.
@NullMarked
package dev.substrat.toolset.custom;

import org.jspecify.annotations.NullMarked;
