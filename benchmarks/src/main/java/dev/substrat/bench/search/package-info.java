/// Finding passages: how well, and how long it takes the more there are.
@NullMarked
package dev.substrat.bench.search;

import org.jspecify.annotations.NullMarked;
