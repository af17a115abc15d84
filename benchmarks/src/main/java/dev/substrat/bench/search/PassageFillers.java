package dev.substrat.bench.search;

import dev.substrat.memory.embedding.Embedding;
import dev.substrat.memory.embedding.TextEncoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Generates many passages from a few: halves of two passages and a number.
///
/// Each has the vector of one of its sources. Computing 100,000 vectors would take a quarter of an
/// hour, and the duration of a search does not depend on their values.
final class PassageFillers implements TextEncoder {
  private final TextEncoder model;
  private final List<String> originals;
  private final Map<String, Embedding> vectors = new HashMap<>();

  PassageFillers(TextEncoder model, List<String> originals) {
    this.model = model;
    this.originals = List.copyOf(originals);
    originals.forEach(text -> vectors.put(text, model.encode(text)));
  }

  List<String> make(int count) {
    var random = new Random(count);
    var made = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      String first = originals.get(random.nextInt(originals.size()));
      String second = originals.get(random.nextInt(originals.size()));
      String text =
          first.substring(0, first.length() / 2)
              + second.substring(second.length() / 2)
              + " No. "
              + i;
      made.add(text);
      vectors.put(text, encode(first));
    }
    return made;
  }

  @Override
  public Embedding encode(String text) {
    Embedding known = vectors.get(text);
    return known == null ? model.encode(text) : known;
  }

  @Override
  public boolean isReadable(String text) {
    return model.isReadable(text);
  }

  @Override
  public void close() {
    model.close();
  }
}
