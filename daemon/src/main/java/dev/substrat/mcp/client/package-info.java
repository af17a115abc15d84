/// MCP client for remote servers of both protocol eras. Knows no agents.
@NullMarked
package dev.substrat.mcp.client;

import org.jspecify.annotations.NullMarked;
