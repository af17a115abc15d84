package dev.substrat.memory.embedding;

import java.util.List;

/// Turns a text into where it stands among all meanings. Safe for many threads; each of them is
/// busy as long as it takes, so they are no virtual ones.
public interface TextEncoder extends AutoCloseable {

  Embedding encode(String text);

  /// One vector for each part of a long text: a part that answers a question is found, whatever the
  /// other parts are about.
  default List<Embedding> encodeParts(String text) {
    return List.of(encode(text));
  }

  /// Whether the text has enough words that the model knows; of other texts it says nothing
  /// sensible.
  default boolean isReadable(String text) {
    return true;
  }

  @Override
  void close();
}
