/// MCP over stdio for one agent, carried to the daemon over its Unix socket.
@NullMarked
package dev.substrat.bridge;

import org.jspecify.annotations.NullMarked;
