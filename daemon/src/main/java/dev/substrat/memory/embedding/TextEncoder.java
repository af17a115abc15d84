package dev.substrat.memory.embedding;

import java.util.List;

/// Computes the embedding of a text. Safe for many threads; the computation blocks its thread, so
/// callers do not use virtual threads.
public interface TextEncoder extends AutoCloseable {

  Embedding encode(String text);

  /// One vector for each part of a long text: so a part that answers a question is found, whatever
  /// the other parts are about.
  default List<Embedding> encodeParts(String text) {
    return List.of(encode(text));
  }

  /// Whether the model knows enough words of the text; otherwise its vectors are meaningless.
  default boolean isReadable(String text) {
    return true;
  }

  @Override
  void close();
}
