/// MCP server on the official SDK, for comparison.
@NullMarked
package dev.substrat.bench.peer;

import org.jspecify.annotations.NullMarked;
