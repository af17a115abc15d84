package dev.substrat.search;

import dev.substrat.id.AgentId;
import dev.substrat.json.Characters;
import dev.substrat.json.Json;
import dev.substrat.meaning.Meanings;
import dev.substrat.meaning.Vectors;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.Tx;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Finds passages by what they contain, by the words they share with the question, and by what they
/// mean.
///
/// What contains the question as it stands comes first and is never missing, whatever the language.
/// Words and meaning decide the order among those, and bring what was said in other words. A
/// passage is found by its words from the moment it is stored, by its meaning a little later.
public final class HybridSearch implements PassageSearch {
  /// How many each opinion may propose.
  private static final int PROPOSED = 50;

  private final Database database;
  private final Vectors vectors;
  private final String containing;
  private final String fetch;

  /// One for which words mean nothing.
  public static HybridSearch ofWords(Database database) {
    return new HybridSearch(database, new Vectors(database, Meanings.off()));
  }

  public HybridSearch(Database database, Vectors vectors) {
    this.database = database;
    this.vectors = vectors;
    this.containing = containing(database.dialect());
    this.fetch = fetch(database.dialect());
  }

  private static String containing(Dialect dialect) {
    return """
    select id from memory
    where agent_id = ? and kind = 'passage' and deleted_at is null and %s
    order by created_at desc, id desc
    limit ?
    """
        .formatted(Folding.contains(dialect));
  }

  private static String fetch(Dialect dialect) {
    return """
    select id, content, tags, created_at, case when %s then 1 else 0 end as literal
    from memory
    where id in (select value from %s)
      and agent_id = ? and kind = 'passage' and deleted_at is null
    """
        .formatted(Folding.contains(dialect), dialect.members());
  }

  @Override
  public void stored(Tx tx, AgentId owner, Passage passage) {
    WordIndex.put(tx, owner, passage);
    vectors.stored(tx, passage.id());
  }

  @Override
  public void deleting(Tx tx, AgentId owner, String id) {
    vectors.deleting(tx, id);
    WordIndex.delete(tx, id);
  }

  @Override
  public List<Passage> find(PassageQuery wanted) {
    var query =
        new PassageQuery(
            wanted.agent(), Characters.kept(wanted.text()).strip(), wanted.tags(), wanted.limit());
    Proposals proposals = database.read(tx -> proposals(tx, query));
    var ranking = new Ranking();
    ranking.add(proposals.containing());
    ranking.add(proposals.sharingWords());
    if (!query.text().isEmpty()) {
      ranking.add(
          full(vectors.nearest(query.agent(), query.text(), proposals.admitted(), PROPOSED)));
    }
    return database.read(tx -> fetch(tx, query, ranking));
  }

  /// What the database can tell; and which passages have the tags.
  private record Proposals(
      Predicate<String> admitted,
      List<Ranking.Place> containing,
      List<Ranking.Place> sharingWords) {}

  private Proposals proposals(Tx tx, PassageQuery query) {
    int most = Math.max(query.limit(), PROPOSED);
    // Tags are compared here, so they come before the limit.
    int enough = query.tags().isEmpty() ? most : Integer.MAX_VALUE;
    Predicate<String> admitted = admitted(tx, query);
    List<String> literal =
        tx.list(
            containing,
            row -> row.text("id"),
            query.agent().value(),
            Folding.of(query.text()),
            enough);
    return new Proposals(
        admitted,
        full(literal.stream().filter(admitted).limit(most).toList()),
        WordMatches.find(tx, query, PROPOSED));
  }

  private static Predicate<String> admitted(Tx tx, PassageQuery query) {
    if (query.tags().isEmpty()) {
      return _ -> true;
    }
    List<Long> tagged =
        WordIndex.find(tx, query.agent(), query.tags(), List.of(), Integer.MAX_VALUE);
    return Set.copyOf(WordIndex.ids(tx, tagged).values())::contains;
  }

  private static List<Ranking.Place> full(List<String> ids) {
    return ids.stream().map(id -> new Ranking.Place(id, 1)).toList();
  }

  private record Found(Passage passage, boolean literal) {}

  private List<Passage> fetch(Tx tx, PassageQuery query, Ranking ranking) {
    List<Found> found =
        tx.list(
            fetch,
            row -> new Found(Passage.from(row), row.flag("literal")),
            Folding.of(query.text()),
            Json.text(ranking.ids()),
            query.agent().value());
    return found.stream()
        .filter(one -> query.admits(one.passage()))
        .sorted(
            Comparator.comparing(Found::literal)
                .thenComparingDouble(one -> ranking.score(one.passage().id()))
                .thenComparing(one -> one.passage().createdAt())
                .thenComparing(one -> one.passage().id())
                .reversed())
        .limit(query.limit())
        .map(Found::passage)
        .toList();
  }
}
