/// Pages about agents: all of them, one of them, and the builder.
@NullMarked
package dev.substrat.console.agents;

import org.jspecify.annotations.NullMarked;
