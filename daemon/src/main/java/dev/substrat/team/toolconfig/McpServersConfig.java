package dev.substrat.team.toolconfig;

import java.util.List;

/// The remote MCP servers of an agent.
public record McpServersConfig(List<McpServerConfig> servers) {}
