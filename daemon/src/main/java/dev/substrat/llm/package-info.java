/// Agents that think with a model behind an API, and the wires of those APIs.
@NullMarked
package dev.substrat.llm;

import org.jspecify.annotations.NullMarked;
