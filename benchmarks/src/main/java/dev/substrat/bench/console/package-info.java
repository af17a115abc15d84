/// How quick the console is, and how much of it there is to load.
@NullMarked
package dev.substrat.bench.console;

import org.jspecify.annotations.NullMarked;
