/// Turns, from a ready inbox to the committed result.
///
/// Belongs here: dispatch, leases, slots, runs, replay, and the engine that puts all floors below
/// together.
@NullMarked
package dev.substrat.turn;

import org.jspecify.annotations.NullMarked;
