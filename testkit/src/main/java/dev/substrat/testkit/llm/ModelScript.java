package dev.substrat.testkit.llm;

/// What a scripted model does, from what it is asked.
@FunctionalInterface
public interface ModelScript {
  ScriptedAnswer answer(ModelPrompt asked);
}
