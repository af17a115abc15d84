package dev.substrat.memory.embedding;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.util.List;
import java.util.function.Predicate;

/// Vectors of passages and search among them. An [EmbeddingWorkers] computes each vector shortly
/// after its passage is stored.
public final class PassageVectors {
  /// Relevance threshold: a passage with a lower similarity is not a match. Measured on the
  /// labelled set, see docs/internals/search-quality.md.
  public static final double MIN_SIMILARITY = 0.32;

  /// Enough for the vectors of half a million passages, but at most an eighth of the heap.
  private static final long MAX_BYTES = Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 8);

  private final SemanticIndex meanings;
  private final EmbeddingBacklog backlog;
  private final VectorSearch shelves;

  public PassageVectors(Database database, SemanticIndex meanings) {
    this.meanings = meanings;
    this.backlog = new EmbeddingBacklog(database, meanings.model());
    this.shelves = new VectorSearch(database, meanings.model(), MAX_BYTES);
  }

  /// Starts to compute vectors. `owner` identifies this daemon, also after a restart, and no other
  /// one.
  public EmbeddingWorkers embedder(String owner) {
    return new EmbeddingWorkers(backlog, meanings, owner);
  }

  /// Called after the row of the passage is inserted.
  public void stored(Tx tx, String passage) {
    backlog.add(tx, passage);
  }

  /// Called before the row of the passage is deleted.
  public void deleting(Tx tx, String passage) {
    backlog.remove(tx, passage);
  }

  /// A passage and how similar it is to a question: the cosine of their vectors, at most 1.
  public record SimilarPassage(String id, double likeness) {}

  /// At most `most` of the agent's own passages that are similar to `query`, the most similar
  /// first; none if the model is off or cannot read the query. `isExact` if few passages are
  /// admitted. Reads the database by itself.
  public List<SimilarPassage> nearest(
      AgentId agent, String query, Predicate<String> admitted, boolean isExact, int most) {
    var nearest = new NearestPassages(most, MIN_SIMILARITY);
    meanings
        .encodeQuery(query)
        .ifPresent(embedding -> shelves.offerTo(nearest, agent, embedding, admitted, isExact));
    return nearest.found();
  }
}
