/// Small complete teams that run, and the demo that shows one at work.
@NullMarked
package dev.substrat.examples;

import org.jspecify.annotations.NullMarked;
