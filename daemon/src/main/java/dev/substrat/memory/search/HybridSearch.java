package dev.substrat.memory.search;

import dev.substrat.memory.embedding.PassageVectors;
import dev.substrat.memory.embedding.SemanticIndex;
import dev.substrat.memory.search.PassageHit.MatchReason;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.StorableText;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Finds passages by keywords, then by meaning.
///
/// Passages that contain all words of the query come first. The rest of the list is filled with
/// passages of similar meaning, if there are any. A passage is found by keywords from the moment it
/// is stored, and by meaning shortly after.
public final class HybridSearch implements PassageSearch {
  private static final String NEWEST =
      """
      select id, content, tags, created_at from memory
      where agent_id = ? and kind = 'passage' and deleted_at is null
      order by created_at desc, id desc
      limit ?
      """;

  private final Database database;
  private final PassageVectors vectors;

  /// A search without a model: by words only.
  public static HybridSearch ofWords(Database database) {
    return new HybridSearch(database, new PassageVectors(database, SemanticIndex.off()));
  }

  public HybridSearch(Database database, PassageVectors vectors) {
    this.database = database;
    this.vectors = vectors;
  }

  @Override
  public void stored(Tx tx, AgentId owner, Passage passage) {
    PassageIndex.put(tx, owner.value(), passage.id(), passage.content(), passage.tags());
    vectors.stored(tx, passage.id());
  }

  @Override
  public void deleting(Tx tx, AgentId owner, String id) {
    vectors.deleting(tx, id);
    PassageIndex.delete(tx, id);
  }

  @Override
  public List<PassageHit> find(PassageQuery wanted) {
    var query =
        new PassageQuery(
            wanted.agent(),
            StorableText.sanitize(wanted.text()).strip(),
            wanted.tags(),
            wanted.limit());
    var keywords = KeywordQuery.parse(query.text());
    if (keywords.alternatives().isEmpty()) {
      return SearchText.isBlank(wanted.text()) ? database.read(tx -> newest(tx, query)) : List.of();
    }
    List<PassageHit> byWords = database.read(tx -> byWords(tx, query, keywords));
    if (byWords.size() >= query.limit() || keywords.hasPhrase()) {
      return byWords;
    }
    var hits = new ArrayList<>(byWords);
    hits.addAll(byMeaning(query, keywords, byWords));
    return hits;
  }

  private static List<PassageHit> newest(Tx tx, PassageQuery query) {
    if (query.tags().isEmpty()) {
      return tx.list(NEWEST, Passage::from, query.agent().value(), query.limit()).stream()
          .map(PassageHit::listed)
          .toList();
    }
    List<String> tagged = PassageIndex.tagged(tx, query, query.limit());
    return fetch(tx, query, tagged).values().stream()
        .sorted(Comparator.comparing(Passage::createdAt).thenComparing(Passage::id).reversed())
        .map(PassageHit::listed)
        .toList();
  }

  private static List<PassageHit> byWords(Tx tx, PassageQuery query, KeywordQuery keywords) {
    List<ScoredPassage> best =
        KeywordMatcher.find(tx, query, keywords).stream()
            .limit(query.limit())
            .map(match -> new ScoredPassage(match.passage().id(), match.score()))
            .toList();
    return hits(tx, query, best, MatchReason.WORDS);
  }

  private List<PassageHit> byMeaning(
      PassageQuery query, KeywordQuery keywords, List<PassageHit> found) {
    String text =
        keywords.alternatives().size() == 1 ? query.text() : String.join(" ", keywords.terms());
    Set<String> known = found.stream().map(PassageHit::id).collect(Collectors.toSet());
    Predicate<String> admitted = admitted(query);
    List<ScoredPassage> nearest =
        vectors
            .nearest(
                query.agent(),
                text,
                id -> !known.contains(id) && admitted.test(id),
                !query.tags().isEmpty(),
                query.limit() - found.size())
            .stream()
            .map(neighbour -> new ScoredPassage(neighbour.id(), neighbour.likeness()))
            .toList();
    return nearest.isEmpty()
        ? List.of()
        : database.read(tx -> hits(tx, query, nearest, MatchReason.MEANING));
  }

  private Predicate<String> admitted(PassageQuery query) {
    if (query.tags().isEmpty()) {
      return _ -> true;
    }
    List<String> tagged = database.read(tx -> PassageIndex.tagged(tx, query, Integer.MAX_VALUE));
    return Set.copyOf(tagged)::contains;
  }

  /// A match before its passage is read.
  private record ScoredPassage(String id, double score) {}

  private static List<PassageHit> hits(
      Tx tx, PassageQuery query, List<ScoredPassage> found, MatchReason match) {
    if (found.isEmpty()) {
      return List.of();
    }
    Map<String, Passage> passages =
        fetch(tx, query, found.stream().map(ScoredPassage::id).toList());
    var hits = new ArrayList<PassageHit>();
    for (ScoredPassage one : found) {
      Passage passage = passages.get(one.id());
      if (passage != null) {
        hits.add(PassageHit.of(passage, match, one.score()));
      }
    }
    return hits;
  }

  /// Checks owner and tags again: keys and hashes in the index might collide.
  private static Map<String, Passage> fetch(Tx tx, PassageQuery query, List<String> ids) {
    // SQLite reads the tables of a cross join in this order; otherwise it would read all passages
    // of the agent.
    return tx
        .list(
            """
            select memory.id, memory.content, memory.tags, memory.created_at
            from %s cross join memory
            where memory.id = value
              and memory.agent_id = ? and memory.kind = 'passage' and memory.deleted_at is null
            """
                .formatted(tx.dialect().members()),
            Passage::from,
            Json.text(ids),
            query.agent().value())
        .stream()
        .filter(passage -> query.hasAllTags(passage.tags()))
        .collect(Collectors.toMap(Passage::id, passage -> passage));
  }
}
