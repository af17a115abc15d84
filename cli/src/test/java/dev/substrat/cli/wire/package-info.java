@NullMarked
package dev.substrat.cli.wire;

import org.jspecify.annotations.NullMarked;
