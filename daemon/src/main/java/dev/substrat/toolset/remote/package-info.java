/// Tools of remote MCP servers: pinned definitions, quarantine, approvals, sessions.
@NullMarked
package dev.substrat.toolset.remote;

import org.jspecify.annotations.NullMarked;
