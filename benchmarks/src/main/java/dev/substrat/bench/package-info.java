/// Measurements against peers, in one run: ratios, because machines differ.
@NullMarked
package dev.substrat.bench;

import org.jspecify.annotations.NullMarked;
