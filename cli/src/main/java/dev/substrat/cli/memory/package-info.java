/// Commands about what agents keep.
@NullMarked
package dev.substrat.cli.memory;

import org.jspecify.annotations.NullMarked;
