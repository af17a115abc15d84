/// Commands for remote MCP servers of agents.
@NullMarked
package dev.substrat.cli.mcpserver;

import org.jspecify.annotations.NullMarked;
