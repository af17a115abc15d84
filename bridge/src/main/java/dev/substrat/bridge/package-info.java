/// MCP bridge: forwards stdio messages of a client to the daemon's Unix socket.
@NullMarked
package dev.substrat.bridge;

import org.jspecify.annotations.NullMarked;
