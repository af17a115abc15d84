@NullMarked
package dev.substrat.cli;

import org.jspecify.annotations.NullMarked;
