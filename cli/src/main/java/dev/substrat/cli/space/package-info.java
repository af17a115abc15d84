/// Commands for spaces.
@NullMarked
package dev.substrat.cli.space;

import org.jspecify.annotations.NullMarked;
