/// Somebody else's MCP server, to measure beside.
@NullMarked
package dev.substrat.bench.peer;

import org.jspecify.annotations.NullMarked;
