/// The command `connect`: entries for Substrat in the configuration files of MCP clients.
@NullMarked
package dev.substrat.cli.connect;

import org.jspecify.annotations.NullMarked;
