/// What happened, in order; feeds the console.
@NullMarked
package dev.substrat.event;

import org.jspecify.annotations.NullMarked;
