/// Turns per second of several daemons that share one PostgreSQL.
@NullMarked
package dev.substrat.bench.cluster;

import org.jspecify.annotations.NullMarked;
