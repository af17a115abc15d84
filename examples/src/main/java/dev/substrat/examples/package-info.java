/// Example teams, and the demo that runs them.
@NullMarked
package dev.substrat.examples;

import org.jspecify.annotations.NullMarked;
