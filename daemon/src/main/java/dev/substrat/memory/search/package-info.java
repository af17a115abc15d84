/// Hybrid search among passages: keyword matches first, then semantic neighbours.
@NullMarked
package dev.substrat.memory.search;

import org.jspecify.annotations.NullMarked;
