package dev.substrat.search;

import dev.substrat.id.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.util.List;

/// Finds passages that contain the text as it stands, in any language and any case, the newest
/// first.
public final class SubstringSearch implements PassageSearch {
  private final Database database;
  private final String find;

  public SubstringSearch(Database database) {
    this.database = database;
    this.find =
        """
        select id, content, tags, created_at from memory
        where agent_id = ? and kind = 'passage' and deleted_at is null and %s
        order by created_at desc, id desc
        limit ?
        """
            .formatted(Folding.contains(database.dialect()));
  }

  @Override
  public List<Passage> find(PassageQuery query) {
    // Tags are compared here, since the databases disagree on case; so they come before the limit.
    int enough = query.tags().isEmpty() ? query.limit() : Integer.MAX_VALUE;
    String text = Folding.of(query.text());
    return database.read(tx ->
        tx.list(find, Passage::from, query.agent().value(), text, enough).stream()
            .filter(query::admits)
            .limit(query.limit())
            .toList());
  }

  /// The row is all there is to find it by.
  @Override
  public void stored(Tx tx, AgentId owner, Passage passage) {}

  @Override
  public void deleting(Tx tx, AgentId owner, String id) {}
}
