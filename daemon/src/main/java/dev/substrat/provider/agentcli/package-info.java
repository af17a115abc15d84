/// Agent CLIs as providers: one process per turn with a private home and the agent's tools over
/// MCP.
@NullMarked
package dev.substrat.provider.agentcli;

import org.jspecify.annotations.NullMarked;
