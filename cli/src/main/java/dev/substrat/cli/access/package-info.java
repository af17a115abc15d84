/// Commands for people and tokens.
@NullMarked
package dev.substrat.cli.access;

import org.jspecify.annotations.NullMarked;
