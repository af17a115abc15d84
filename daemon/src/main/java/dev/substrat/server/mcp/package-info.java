/// What each principal finds over MCP: tools, prompts, resources, tasks.
@NullMarked
package dev.substrat.server.mcp;

import org.jspecify.annotations.NullMarked;
