package dev.substrat.provider.prompt;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Locale;
import java.util.UUID;

/// The tags around foreign text (data fence), named by a word that the text does not contain.
///
/// A text cannot close a fence whose name it does not contain. The word is checked against the
/// text; it is derived from ids that are created after the text, so a second try is hardly ever
/// needed. The same turn always gets the same word, so its record can be compared.
record DataFence(String word) {
  /// Start of the tag before the block of Substrat.
  static final String BLOCK = "<turn-";

  private static final int LENGTH = 8;

  /// A fence for `texts`; `seed` names the turn's events.
  static DataFence around(String seed, Collection<String> texts) {
    // A model may ignore upper and lower case.
    String all = String.join("\n", texts).toLowerCase(Locale.ROOT);
    for (int attempt = 0; ; attempt++) {
      byte[] name = (seed + "/" + attempt).getBytes(StandardCharsets.UTF_8);
      String word = UUID.nameUUIDFromBytes(name).toString().substring(0, LENGTH);
      if (!all.contains(word)) {
        return new DataFence(word);
      }
    }
  }

  String around(TextExcerpt excerpt) {
    String fenced = around(excerpt.text());
    return excerpt.isCut() ? fenced + " (" + excerpt.extent() + ")" : fenced;
  }

  String around(String text) {
    return "<data-%s>\n%s\n</data-%s>".formatted(word, text, word);
  }

  /// The block with Substrat's own text about the turn.
  String aroundBlock(String lines) {
    return BLOCK + "%s>\n%s\n</turn-%s>".formatted(word, lines, word);
  }
}
