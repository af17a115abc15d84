/// Replaying recorded runs and forking them from a step.
@NullMarked
package dev.substrat.turn.replay;

import org.jspecify.annotations.NullMarked;
