@NullMarked
package dev.substrat.cli.terminal;

import org.jspecify.annotations.NullMarked;
