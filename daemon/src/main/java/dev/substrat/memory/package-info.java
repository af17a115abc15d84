/// Memory of agents: blocks, passages, values, brain entries, and their versions and tools.
@NullMarked
package dev.substrat.memory;

import org.jspecify.annotations.NullMarked;
