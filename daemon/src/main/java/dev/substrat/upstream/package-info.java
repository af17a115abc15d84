/// The protocol from the client's side: talks to MCP servers of both eras; knows no agents.
@NullMarked
package dev.substrat.upstream;

import org.jspecify.annotations.NullMarked;
