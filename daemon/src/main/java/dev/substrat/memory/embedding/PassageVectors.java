package dev.substrat.memory.embedding;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.util.List;
import java.util.function.Predicate;

/// Vectors of passages and search among them. An [Embedder] computes each vector shortly after its
/// passage is stored.
public final class PassageVectors {
  /// The relevance floor: a passage that is less similar is no answer. Measured on the labelled
  /// set, see docs/internals/search-quality.md.
  public static final double MIN_SIMILARITY = 0.32;

  /// For the vectors of half a million passages, but never an eighth of the heap.
  private static final long MOST_BYTES = Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 8);

  private final SemanticIndex meanings;
  private final EmbeddingBacklog backlog;
  private final VectorSearch shelves;

  public PassageVectors(Database database, SemanticIndex meanings) {
    this.meanings = meanings;
    this.backlog = new EmbeddingBacklog(database, meanings.model());
    this.shelves = new VectorSearch(database, meanings.model(), MOST_BYTES);
  }

  /// Begins to make vectors. `owner` names this daemon, now and after a restart, and no other that
  /// is alive.
  public Embedder embedder(String owner) {
    return new Embedder(backlog, meanings, owner);
  }

  /// Called after the row of the passage is there.
  public void stored(Tx tx, String passage) {
    backlog.add(tx, passage);
  }

  /// Called before the row of the passage goes.
  public void deleting(Tx tx, String passage) {
    backlog.remove(tx, passage);
  }

  /// A passage and how similar it is to a question: the cosine of their vectors, at most 1.
  public record Neighbour(String id, double likeness) {}

  /// At most `most` of the agent's own passages that are similar to `question`, the most similar
  /// first; none if the model is off or cannot read the question. Reads by itself.
  public List<Neighbour> nearest(
      AgentId agent, String question, Predicate<String> admitted, int most) {
    var nearest = new NearestPassages(most, MIN_SIMILARITY);
    meanings
        .encodeQuery(question)
        .ifPresent(embedding -> shelves.offerTo(nearest, agent, embedding, admitted));
    return nearest.found();
  }
}
