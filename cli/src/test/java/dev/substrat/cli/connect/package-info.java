@NullMarked
package dev.substrat.cli.connect;

import org.jspecify.annotations.NullMarked;
