/// Pages of agents: list, details, builder, versions.
@NullMarked
package dev.substrat.console.agents;

import org.jspecify.annotations.NullMarked;
