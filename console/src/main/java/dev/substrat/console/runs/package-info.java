/// Pages of runs: list and details.
@NullMarked
package dev.substrat.console.runs;

import org.jspecify.annotations.NullMarked;
