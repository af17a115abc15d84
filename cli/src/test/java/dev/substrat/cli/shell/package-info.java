@NullMarked
package dev.substrat.cli.shell;

import org.jspecify.annotations.NullMarked;
