/// Spaces on the command line: where agents and people talk.
@NullMarked
package dev.substrat.cli.space;

import org.jspecify.annotations.NullMarked;
