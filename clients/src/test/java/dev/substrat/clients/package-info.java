/// MCP clients that nobody here wrote.
@NullMarked
package dev.substrat.clients;

import org.jspecify.annotations.NullMarked;
