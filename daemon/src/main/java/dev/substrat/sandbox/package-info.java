/// Walls around programs: what they may see, change and reach.
@NullMarked
package dev.substrat.sandbox;

import org.jspecify.annotations.NullMarked;
