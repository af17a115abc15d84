package dev.substrat.testkit.llm;

/// Function of a scripted model from request to answer.
@FunctionalInterface
public interface ModelScript {
  ScriptedAnswer answer(ModelPrompt asked);
}
