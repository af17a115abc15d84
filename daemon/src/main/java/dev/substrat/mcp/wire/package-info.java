/// What both sides of MCP share: JSON-RPC envelopes, protocol revisions, header encoding.
@NullMarked
package dev.substrat.mcp.wire;

import org.jspecify.annotations.NullMarked;
