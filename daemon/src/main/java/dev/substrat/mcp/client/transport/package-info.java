/// Transports of the MCP client: Streamable HTTP, HTTP with SSE, stdio.
@NullMarked
package dev.substrat.mcp.client.transport;

import org.jspecify.annotations.NullMarked;
