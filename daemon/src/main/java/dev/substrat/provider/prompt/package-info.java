/// Prompts: the system prompt of an agent and the text of one turn.
@NullMarked
package dev.substrat.provider.prompt;

import org.jspecify.annotations.NullMarked;
