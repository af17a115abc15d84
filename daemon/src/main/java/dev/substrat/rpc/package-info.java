/// What both sides of MCP must say alike: envelopes, revisions, what is repeated in headers.
@NullMarked
package dev.substrat.rpc;

import org.jspecify.annotations.NullMarked;
