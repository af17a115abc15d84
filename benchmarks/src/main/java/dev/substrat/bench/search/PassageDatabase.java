package dev.substrat.bench.search;

import dev.substrat.memory.embedding.PassageVectors;
import dev.substrat.memory.embedding.SemanticIndex;
import dev.substrat.memory.search.HybridSearch;
import dev.substrat.memory.search.Passage;
import dev.substrat.memory.search.PassageHit;
import dev.substrat.memory.search.PassageQuery;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventSignal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Database of agents with many passages, stored as by a daemon, and the searches on it.
final class PassageDatabase {
  private static final int BATCH = 1_000;

  private static final String AGENT =
      """
      insert into agent (id, handle, name, description, role, config, created_at)
      values (?, ?, ?, '', 'agent', '{}', 0)
      """;

  private static final String PASSAGE =
      """
      insert into memory (id, kind, agent_id, content, tags, created_at, updated_at)
      values (?, 'passage', ?, ?, '[]', 0, 0)
      """;

  private static final String SCAN =
      """
      select id from memory
      where agent_id = ? and kind = 'passage' and content like ?
      order by created_at desc
      limit ?
      """;

  private final Database database;
  private final PassageVectors vectors;
  private final HybridSearch hybrid;
  private final HybridSearch wordsOnly;

  /// Stored passages by id.
  private final Map<String, String> texts = new HashMap<>();

  PassageDatabase(Database database, SemanticIndex meanings) {
    this.database = database;
    this.vectors = new PassageVectors(database, meanings);
    this.hybrid = new HybridSearch(database, vectors);
    this.wordsOnly = HybridSearch.ofWords(database);
  }

  /// A new agent that has stored all of `passages`.
  AgentId agentWith(List<String> passages) {
    AgentId agent = AgentId.random();
    String name = agent.value();
    database.transact(tx -> tx.update(AGENT, name, name, name));
    for (int from = 0; from < passages.size(); from += BATCH) {
      List<String> some = passages.subList(from, Math.min(passages.size(), from + BATCH));
      List<Passage> stored =
          some.stream()
              .map(text -> new Passage(AgentId.random().value(), text, List.of(), Instant.EPOCH))
              .toList();
      database.transact(tx -> store(tx, agent, stored));
      stored.forEach(passage -> texts.put(passage.id(), passage.content()));
    }
    return agent;
  }

  private int store(Tx tx, AgentId agent, List<Passage> passages) {
    for (Passage passage : passages) {
      tx.update(PASSAGE, passage.id(), agent.value(), passage.content());
      hybrid.stored(tx, agent, passage);
    }
    return passages.size();
  }

  /// Makes all the vectors.
  void embedAll() throws InterruptedException {
    var never = new EventSignal();
    try (var _ = vectors.embedder("bench")) {
      while (database.read(tx -> tx.number("select count(*) as n from passage_waiting")) > 0) {
        never.awaitMoreThan(0, Duration.ofMillis(100));
      }
    }
  }

  List<String> hybrid(AgentId agent, String question, int most) {
    return texts(hybrid.find(new PassageQuery(agent, question, List.of(), most)));
  }

  List<String> byWords(AgentId agent, String question, int most) {
    return texts(wordsOnly.find(new PassageQuery(agent, question, List.of(), most)));
  }

  private static List<String> texts(List<PassageHit> hits) {
    return hits.stream().map(PassageHit::content).toList();
  }

  /// The simplest search: a scan for passages that contain the question.
  List<String> byScan(AgentId agent, String question, int most) {
    String pattern = "%" + question + "%";
    List<String> ids =
        database.read(tx -> tx.list(SCAN, row -> row.text("id"), agent.value(), pattern, most));
    return ids.stream().map(id -> texts.getOrDefault(id, "")).toList();
  }
}
