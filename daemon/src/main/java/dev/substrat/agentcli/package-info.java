/// Agent CLIs as minds: one process per turn, private to its agent, with its tools over MCP.
@NullMarked
package dev.substrat.agentcli;

import org.jspecify.annotations.NullMarked;
