/// The MCP server an agent talks to.
@NullMarked
package dev.substrat.mcp;

import org.jspecify.annotations.NullMarked;
