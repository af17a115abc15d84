/// The record of a run: tool calls, results, texts, steps, and the history built from it.
@NullMarked
package dev.substrat.tool.transcript;

import org.jspecify.annotations.NullMarked;
