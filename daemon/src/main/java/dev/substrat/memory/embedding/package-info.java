/// Embedding vectors of passages, computed by a model in this process, and search among them.
@NullMarked
package dev.substrat.memory.embedding;

import org.jspecify.annotations.NullMarked;
