package dev.substrat.memory.search;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventSignal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Stores passages of agents in the real tables and searches them.
public record PassageLibrary(Database database, PassageSearch search) {
  private static final String AGENT =
      """
      insert into agent (id, handle, name, description, role, config, created_at)
      values (?, ?, ?, '', 'agent', '{}', 0)
      """;

  private static final String PASSAGE =
      """
      insert into memory (id, kind, agent_id, content, tags, created_at, updated_at)
      values (?, 'passage', ?, ?, ?, ?, ?)
      """;

  public AgentId agent() {
    AgentId agent = AgentId.random();
    String name = agent.value();
    database.transact(tx -> tx.update(AGENT, name, name, name));
    return agent;
  }

  /// Returns the passage's id.
  public String store(AgentId owner, String content, String... tags) {
    // Ids of agents sort by time, like those of passages.
    var passage =
        new Passage(AgentId.random().value(), content, List.of(tags), Instant.ofEpochMilli(1));
    return database.transact(tx -> store(tx, owner, passage));
  }

  private String store(Tx tx, AgentId owner, Passage passage) {
    tx.update(
        PASSAGE,
        passage.id(),
        owner.value(),
        passage.content(),
        Json.text(passage.tags()),
        passage.createdAt(),
        passage.createdAt());
    search.stored(tx, owner, passage);
    return passage.id();
  }

  public void delete(AgentId owner, String passage) {
    database.transact(tx -> {
      search.deleting(tx, owner, passage);
      return tx.update("delete from memory where id = ?", passage);
    });
  }

  public List<String> find(AgentId owner, String text, String... tags) {
    return hits(owner, text, tags).stream().map(PassageHit::content).toList();
  }

  List<PassageHit> hits(AgentId owner, String text, String... tags) {
    return search.find(new PassageQuery(owner, text, List.of(tags), 10));
  }

  public long waiting() {
    return database.read(tx -> tx.number("select count(*) as n from passage_waiting"));
  }

  /// Computed vectors send no signal, so this polls.
  public void awaitNoneWaiting() throws InterruptedException {
    var never = new EventSignal();
    while (waiting() > 0) {
      never.awaitMoreThan(0, Duration.ofMillis(20));
    }
  }

  /// Polls until a passage is found.
  public List<String> awaitFound(AgentId owner, String text) throws InterruptedException {
    var never = new EventSignal();
    List<String> found = find(owner, text);
    while (found.isEmpty()) {
      never.awaitMoreThan(0, Duration.ofMillis(20));
      found = find(owner, text);
    }
    return found;
  }
}
