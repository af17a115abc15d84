/// Benchmarks of search: quality, and latency by number of passages.
@NullMarked
package dev.substrat.bench.search;

import org.jspecify.annotations.NullMarked;
