/// Finding what an agent has stored.
@NullMarked
package dev.substrat.search;

import org.jspecify.annotations.NullMarked;
