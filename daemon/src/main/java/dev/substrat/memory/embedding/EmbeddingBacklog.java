package dev.substrat.memory.embedding;

import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventSignal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Queue of passages that have no vector yet. Computing a vector is slow, so it happens after the
/// passage is committed, on whichever daemon claims it first; a claim expires if its daemon stops.
final class EmbeddingBacklog {
  private static final int BATCH = 32;

  /// Longer than a batch of the longest passages takes.
  private static final long CLAIM_MILLIS = 60_000;

  private static final String ADD =
      "insert into passage_waiting (memory_id, claimed_until) values (?, 0)";

  private static final String CLAIMED =
      """
      select memory.id, memory.agent_id, memory.content
      from passage_waiting join memory on memory.id = passage_waiting.memory_id
      where passage_waiting.claimed_by = ?
      order by memory.id
      """;

  private static final String PUT =
      """
      insert into passage_vector (memory_id, agent_id, model, vector, seq)
      values (?, ?, ?, ?, ?)
      on conflict (memory_id) do update
      set model = excluded.model, vector = excluded.vector, seq = excluded.seq
      """;

  /// Deletes the vector; the new number lets daemons that have it in memory notice.
  private static final String FORGET =
      "update passage_vector set vector = null, seq = ? where memory_id = ?";

  private static final String ALL_AGAIN =
      """
      insert into passage_waiting (memory_id, claimed_until)
      select memory_id, 0 from passage_vector where vector is not null and model <> ?
      on conflict do nothing
      """;

  private final Database database;
  private final String model;
  private final EventSignal signal = new EventSignal();

  EmbeddingBacklog(Database database, String model) {
    this.database = database;
    this.model = model;
  }

  /// Signals new entries of the backlog.
  EventSignal signal() {
    return signal;
  }

  /// A passage without a vector.
  record PendingPassage(String id, String agent, String content) {}

  /// A passage and its vectors, one for each part; none if the model could not read it.
  record EmbeddedPassage(PendingPassage passage, List<Embedding> parts) {}

  void add(Tx tx, String passage) {
    tx.update(ADD, passage);
    tx.afterCommit(signal::notifyWaiters);
  }

  /// The counter is locked first, as in [#settle], to avoid a deadlock.
  void remove(Tx tx, String passage) {
    long seq = next(tx, 1);
    tx.update("delete from passage_waiting where memory_id = ?", passage);
    tx.update(FORGET, seq, passage);
  }

  /// Vectors of another model are deleted: their passages are encoded again.
  void beginAnew() {
    boolean same = database.read(this::isOfThisModel);
    if (!same) {
      database.transact(tx -> {
        tx.update(ALL_AGAIN, model);
        return tx.update("update vector_counter set model = ?", model);
      });
    }
  }

  private boolean isOfThisModel(Tx tx) {
    return tx.find("select 1 from vector_counter where model = ?", _ -> true, model).isPresent();
  }

  /// At most one batch that no other daemon has claimed.
  List<PendingPassage> claim(String owner) {
    // The check needs no commit, and usually there is nothing to do.
    return database.read(tx -> isAnyFree(tx, owner))
        ? database.transact(tx -> claim(tx, owner))
        : List.of();
  }

  private static boolean isAnyFree(Tx tx, String owner) {
    String query = "select 1 from passage_waiting where " + free(tx) + " limit 1";
    return tx.find(query, _ -> true, owner).isPresent();
  }

  /// A daemon has one encoder, so its earlier claims are left over.
  private static String free(Tx tx) {
    return "(claimed_until < " + tx.dialect().now() + " or claimed_by = ?)";
  }

  private static List<PendingPassage> claim(Tx tx, String owner) {
    String claim =
        """
        update passage_waiting
        set claimed_by = ?, claimed_until = %s + ?
        where memory_id in (
          select memory_id from passage_waiting
          where %s
          order by memory_id
          limit ? %s
        )
        """
            .formatted(tx.dialect().now(), free(tx), tx.dialect().claimSuffix());
    tx.update(claim, owner, CLAIM_MILLIS, owner, BATCH);
    return tx.list(
        CLAIMED,
        row -> new PendingPassage(row.text("id"), row.text("agent_id"), row.text("content")),
        owner);
  }

  /// Passages that were deleted or encoded meanwhile are no longer in the backlog and get no
  /// vector.
  void settle(List<EmbeddedPassage> made) {
    database.transact(tx -> {
      long seq = next(tx, made.size());
      for (EmbeddedPassage one : made) {
        String id = one.passage().id();
        if (tx.update("delete from passage_waiting where memory_id = ?", id) == 1) {
          byte @Nullable [] vector = one.parts().isEmpty() ? null : Embedding.stored(one.parts());
          tx.update(PUT, id, one.passage().agent(), model, vector, seq++);
        }
      }
      return made.size();
    });
  }

  /// The first of `count` sequence numbers. The counter is locked until the commit, so numbers
  /// become visible in order.
  private static long next(Tx tx, int count) {
    tx.update("update vector_counter set last = last + ?", count);
    return tx.number("select last as n from vector_counter") - count + 1;
  }
}
