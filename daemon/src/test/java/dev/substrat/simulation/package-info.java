/// Teams, crashes and time, played step by step from a seed.
@NullMarked
package dev.substrat.simulation;

import org.jspecify.annotations.NullMarked;
