/// Wiring, start, stop.
@NullMarked
package dev.substrat.daemon;

import org.jspecify.annotations.NullMarked;
