/// Programs we start, and everything they start in turn.
@NullMarked
package dev.substrat.process;

import org.jspecify.annotations.NullMarked;
