/// The command `watch`, and events as readable lines.
@NullMarked
package dev.substrat.cli.watch;

import org.jspecify.annotations.NullMarked;
