/// Console pages of agents, the agent builder and versions.
@NullMarked
package dev.substrat.server.console.agents;

import org.jspecify.annotations.NullMarked;
