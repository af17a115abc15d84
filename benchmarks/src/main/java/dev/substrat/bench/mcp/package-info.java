/// Benchmarks of MCP over HTTP, with other servers under the same load.
@NullMarked
package dev.substrat.bench.mcp;

import org.jspecify.annotations.NullMarked;
