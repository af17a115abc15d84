/// Wire formats of model APIs: Chat Completions, Anthropic Messages, Gemini.
@NullMarked
package dev.substrat.provider.llm.wire;

import org.jspecify.annotations.NullMarked;
