/// Interfaces between the MCP server and its application: catalogs of tools, prompts and resources,
/// results, tasks, change notifications.
@NullMarked
package dev.substrat.mcp.spi;

import org.jspecify.annotations.NullMarked;
