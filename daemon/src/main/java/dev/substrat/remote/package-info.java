/// Tools of remote MCP servers: pinned as they were first seen, called over sessions of the agent's
/// own.
@NullMarked
package dev.substrat.remote;

import org.jspecify.annotations.NullMarked;
