/// Console pages of runs.
@NullMarked
package dev.substrat.server.console.runs;

import org.jspecify.annotations.NullMarked;
