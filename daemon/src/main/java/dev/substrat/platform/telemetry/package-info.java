/// Metrics and trace spans.
@NullMarked
package dev.substrat.platform.telemetry;

import org.jspecify.annotations.NullMarked;
