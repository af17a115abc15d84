/// Benchmarks in comparison with other programs: ratios, because machines differ.
@NullMarked
package dev.substrat.bench;

import org.jspecify.annotations.NullMarked;
