/// A scripted model behind the same APIs as real ones.
@NullMarked
package dev.substrat.testkit.llm;

import org.jspecify.annotations.NullMarked;
