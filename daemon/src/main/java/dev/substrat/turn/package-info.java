/// Turns, from a ready inbox to the committed result.
///
/// Belongs here: dispatch, leases, slots, runs, replay, and the engine that connects all layers
/// below.
@NullMarked
package dev.substrat.turn;

import org.jspecify.annotations.NullMarked;
