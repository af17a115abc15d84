package dev.substrat.meaning;

/// Turns a text into where it stands among all meanings. Safe for many threads; each of them is
/// busy as long as it takes, so they are no virtual ones.
public interface Encoder extends AutoCloseable {

  Embedding encode(String text);

  @Override
  void close();
}
