/// How much an agent may do in a while.
@NullMarked
package dev.substrat.limit;

import org.jspecify.annotations.NullMarked;
