/// Metrics and spans, for those who watch the daemon.
@NullMarked
package dev.substrat.telemetry;

import org.jspecify.annotations.NullMarked;
