/// A model that answers as it was told to, over the same wires as real ones.
@NullMarked
package dev.substrat.testkit.llm;

import org.jspecify.annotations.NullMarked;
