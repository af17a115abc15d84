/// HTTP API of agents and their configuration.
@NullMarked
package dev.substrat.server.api.agents;

import org.jspecify.annotations.NullMarked;
