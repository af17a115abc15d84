/// The Model Context Protocol, both revisions of it and both sides.
///
/// Does not belong here: what an agent can do; that is behind the interfaces of `mcp.spi`.
@NullMarked
package dev.substrat.mcp;

import org.jspecify.annotations.NullMarked;
