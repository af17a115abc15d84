/// Benchmarks of the console: latency and page size.
@NullMarked
package dev.substrat.bench.console;

import org.jspecify.annotations.NullMarked;
