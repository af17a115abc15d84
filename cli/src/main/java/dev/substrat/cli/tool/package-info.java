/// Commands for tools.
@NullMarked
package dev.substrat.cli.tool;

import org.jspecify.annotations.NullMarked;
