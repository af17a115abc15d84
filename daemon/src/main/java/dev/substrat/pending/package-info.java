/// Calls that are answered later.
@NullMarked
package dev.substrat.pending;

import org.jspecify.annotations.NullMarked;
