/// Slots, waking, one turn from inbox to silence.
@NullMarked
package dev.substrat.turn;

import org.jspecify.annotations.NullMarked;
