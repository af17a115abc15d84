/// Shared parts of all commands: terminal, global options, access to the daemon.
@NullMarked
package dev.substrat.cli.terminal;

import org.jspecify.annotations.NullMarked;
