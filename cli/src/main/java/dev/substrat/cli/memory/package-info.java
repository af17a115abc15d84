/// Commands for the memory of agents.
@NullMarked
package dev.substrat.cli.memory;

import org.jspecify.annotations.NullMarked;
