/// Commands for pending calls.
@NullMarked
package dev.substrat.cli.pending;

import org.jspecify.annotations.NullMarked;
