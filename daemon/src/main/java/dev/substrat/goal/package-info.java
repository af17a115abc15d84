/// What agents want: goals to reach, and plans that wake them.
@NullMarked
package dev.substrat.goal;

import org.jspecify.annotations.NullMarked;
