/// Remote MCP servers of agents: how they are, and what a person decides about them.
@NullMarked
package dev.substrat.cli.server;

import org.jspecify.annotations.NullMarked;
