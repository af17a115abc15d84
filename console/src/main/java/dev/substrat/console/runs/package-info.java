/// Pages about runs: all of them, and one from its first event to its last word.
@NullMarked
package dev.substrat.console.runs;

import org.jspecify.annotations.NullMarked;
