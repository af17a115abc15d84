/// Log lines for the operator: one line per event.
@NullMarked
package dev.substrat.platform.log;

import org.jspecify.annotations.NullMarked;
