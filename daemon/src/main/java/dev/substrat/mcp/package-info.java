/// Model Context Protocol: client and server, both eras.
///
/// Does not belong here: what an agent can do; that is behind the interfaces of `mcp.spi`.
@NullMarked
package dev.substrat.mcp;

import org.jspecify.annotations.NullMarked;
