/// MCP server over Streamable HTTP for both protocol eras. Knows no agents.
@NullMarked
package dev.substrat.mcp.server;

import org.jspecify.annotations.NullMarked;
