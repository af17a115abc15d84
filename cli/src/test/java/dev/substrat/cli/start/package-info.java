@NullMarked
package dev.substrat.cli.start;

import org.jspecify.annotations.NullMarked;
