/// What every command has at hand: the screen, the global options, a way to the daemon.
@NullMarked
package dev.substrat.cli.terminal;

import org.jspecify.annotations.NullMarked;
