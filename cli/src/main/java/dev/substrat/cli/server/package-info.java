/// Commands for remote MCP servers of agents.
@NullMarked
package dev.substrat.cli.server;

import org.jspecify.annotations.NullMarked;
