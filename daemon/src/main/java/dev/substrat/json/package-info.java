/// Reading, writing and checking JSON at the edges.
@NullMarked
package dev.substrat.json;

import org.jspecify.annotations.NullMarked;
