/// Records of turns: runs, their calls, what they spent, their trace spans.
@NullMarked
package dev.substrat.turn.run;

import org.jspecify.annotations.NullMarked;
