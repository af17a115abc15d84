package dev.substrat.memory.search;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.ContentHash;
import dev.substrat.platform.json.Json;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/// The n-gram index of passages: which passages have which grams and tags.
///
/// An index term is a gram together with a key of the owner, so each agent has posting lists of its
/// own: passages of other agents are neither found nor read. FTS5 keeps the terms as tokens,
/// PostgreSQL their 32-bit hashes in an array with a GIN index. Both say which passages *may*
/// contain a text; the text itself decides.
final class PassageIndex {
  private static final String PUT_TEXT =
      """
      insert into passage_text (memory_id, agent_id, text) values (?, ?, ?)
      on conflict (memory_id) do update set text = excluded.text
      """;

  private static final String PUT_GRAMS =
      """
      insert into passage_grams (rowid, grams)
      select seq, ? from passage_text where memory_id = ?
      """;

  private static final String PUT_POSTGRES =
      """
      insert into passage_text (memory_id, agent_id, text, grams)
      values (?, ?, ?, cast(? as integer[]))
      on conflict (memory_id) do update set text = excluded.text, grams = excluded.grams
      """;

  private static final String DELETE_GRAMS =
      """
      delete from passage_grams
      where rowid in (select seq from passage_text where memory_id = ?)
      """;

  private static final String COUNT_SQLITE =
      """
      select count(*) as n from (
        select rowid from passage_grams where passage_grams match ? limit ?) as counted
      """;

  private static final String COUNT_POSTGRES =
      """
      select count(*) as n from (
        select 1 from passage_text where grams @> cast(? as integer[]) limit ?) as counted
      """;

  private PassageIndex() {}

  /// A passage whose grams match, and its text in the form of [SearchText]. The newer, the larger
  /// is `seq`.
  record CandidatePassage(long seq, String id, String text) {

    private static CandidatePassage from(ResultRow row) {
      return new CandidatePassage(row.number("seq"), row.text("memory_id"), row.text("text"));
    }
  }

  /// A passage of an earlier version that has no entry yet.
  record UnindexedPassage(long seq, String id, String agent, String content, List<String> tags) {

    private static UnindexedPassage from(ResultRow row) {
      return new UnindexedPassage(
          row.number("seq"),
          row.text("memory_id"),
          row.text("agent_id"),
          row.text("content"),
          Passage.tags(row));
    }

    CandidatePassage candidate() {
      return new CandidatePassage(seq, id, SearchText.of(content, tags));
    }
  }

  /// Adds an entry, or completes the one of a passage that was not indexed.
  static void put(Tx tx, String owner, String id, String content, List<String> tags) {
    String text = SearchText.of(content, tags);
    var terms = new ArrayList<String>();
    terms.addAll(tagTerms(owner, tags));
    terms.addAll(gramTerms(owner, SearchText.grams(text)));
    switch (tx.dialect()) {
      case SQLITE -> {
        tx.update(PUT_TEXT, id, owner, text);
        tx.update(PUT_GRAMS, String.join(" ", terms), id);
      }
      case POSTGRES -> tx.update(PUT_POSTGRES, id, owner, text, hashes(terms));
    }
  }

  static void delete(Tx tx, String id) {
    switch (tx.dialect()) {
      case SQLITE -> tx.update(DELETE_GRAMS, id);
      case POSTGRES -> {}
    }
    tx.update("delete from passage_text where memory_id = ?", id);
  }

  /// At most `most` of the agent's passages that have all `grams` and the query's tags and are
  /// older than `before`, the newest first.
  static List<CandidatePassage> find(
      Tx tx, PassageQuery query, Collection<String> grams, long before, int most) {
    return find(tx, query, terms(query, grams), before, most, "text");
  }

  /// The ids of at most `most` passages with the query's tags, the newest first.
  static List<String> tagged(Tx tx, PassageQuery query, int most) {
    List<CandidatePassage> indexed =
        find(tx, query, terms(query, List.of()), Long.MAX_VALUE, most, "'' as text");
    return Stream.concat(
            indexed.stream(),
            notIndexed(tx, query.agent()).stream()
                .filter(passage -> query.hasAllTags(passage.tags()))
                .map(UnindexedPassage::candidate))
        .sorted(Comparator.comparingLong(CandidatePassage::seq).reversed())
        .limit(most)
        .map(CandidatePassage::id)
        .toList();
  }

  /// The grams are looked up first: otherwise the planner of PostgreSQL would read all passages of
  /// the agent backwards until it has enough.
  private static List<CandidatePassage> find(
      Tx tx, PassageQuery query, List<String> terms, long before, int most, String text) {
    String agent = query.agent().value();
    return switch (tx.dialect()) {
      case SQLITE ->
          tx.list(
              """
              select passage_text.seq, passage_text.memory_id, %s
              from passage_grams cross join passage_text on passage_text.seq = passage_grams.rowid
              where passage_grams match ? and passage_grams.rowid < ? and passage_text.agent_id = ?
              order by passage_grams.rowid desc
              limit ?
              """
                  .formatted(text),
              CandidatePassage::from,
              expression(terms),
              before,
              agent,
              most);
      case POSTGRES ->
          tx.list(
              """
              with hit as materialized (
                select seq, agent_id from passage_text where grams @> cast(? as integer[])
              )
              select seq, memory_id, %s from passage_text
              where seq in (
                select seq from hit where seq < ? and agent_id = ? order by seq desc limit ?
              )
              order by seq desc
              """
                  .formatted(text),
              CandidatePassage::from,
              hashes(terms),
              before,
              agent,
              most);
    };
  }

  /// Number of passages with all `grams`, counted up to `most`.
  static long count(Tx tx, PassageQuery query, Collection<String> grams, int most) {
    List<String> terms = gramTerms(query.agent().value(), grams);
    return switch (tx.dialect()) {
      case SQLITE -> tx.number(COUNT_SQLITE, expression(terms), most);
      case POSTGRES -> tx.number(COUNT_POSTGRES, hashes(terms), most);
    };
  }

  /// The agent's passages that have no entry yet.
  static List<UnindexedPassage> notIndexed(Tx tx, AgentId agent) {
    return read(
        tx,
        tx.list(
            "select seq from passage_text where text is null and agent_id = ?",
            row -> row.number("seq"),
            agent.value()));
  }

  /// Some passages that have no entry yet, locked so that no other daemon indexes them.
  static List<UnindexedPassage> claimNotIndexed(Tx tx, int most) {
    String claim =
        """
        select seq from passage_text where text is null order by agent_id, seq limit ? %s
        """
            .formatted(tx.dialect().claimSuffix());
    return read(tx, tx.list(claim, row -> row.number("seq"), most));
  }

  /// The same for one passage.
  static List<UnindexedPassage> claimNotIndexed(Tx tx, long seq) {
    String claim =
        "select seq from passage_text where text is null and seq = ? " + tx.dialect().claimSuffix();
    return read(tx, tx.list(claim, row -> row.number("seq"), seq));
  }

  /// Usually there are none, so this costs nothing.
  private static List<UnindexedPassage> read(Tx tx, List<Long> seqs) {
    return seqs.isEmpty()
        ? List.of()
        : tx.list(
            """
            select passage_text.seq, passage_text.memory_id, memory.agent_id, memory.content, memory.tags
            from passage_text join memory on memory.id = passage_text.memory_id
            where passage_text.text is null
              and passage_text.seq in (select cast(value as bigint) from %s)
            """
                .formatted(tx.dialect().members()),
            UnindexedPassage::from,
            Json.text(seqs));
  }

  private static List<String> terms(PassageQuery query, Collection<String> grams) {
    String owner = query.agent().value();
    var terms = new ArrayList<>(tagTerms(owner, query.tags()));
    terms.addAll(gramTerms(owner, grams));
    return terms;
  }

  /// A tag may have spaces and any length; its fingerprint is one token, longer than any gram.
  private static List<String> tagTerms(String owner, List<String> tags) {
    String key = key(owner);
    return tags.stream()
        .map(tag -> key + ContentHash.of(CaseFolding.of(tag)).substring(0, 16))
        .distinct()
        .toList();
  }

  private static List<String> gramTerms(String owner, Collection<String> grams) {
    String key = key(owner);
    return grams.stream().map(gram -> key + token(gram)).toList();
  }

  private static String key(String owner) {
    return ContentHash.of(owner).substring(0, 10);
  }

  /// FTS5's tokenizer splits at ASCII characters that are neither letters nor digits: those become
  /// characters of Unicode's private area.
  private static String token(String gram) {
    var token = new StringBuilder();
    gram.codePoints()
        .map(c -> c < 0x80 && !Character.isLetterOrDigit(c) ? 0xE000 + c : c)
        .forEach(token::appendCodePoint);
    return token.toString();
  }

  private static String expression(List<String> terms) {
    return terms.stream().map(term -> '"' + term + '"').collect(Collectors.joining(" AND "));
  }

  private static String hashes(List<String> terms) {
    return terms.stream()
        .map(PassageIndex::hash)
        .distinct()
        .map(String::valueOf)
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static int hash(String term) {
    var sum = new CRC32C();
    sum.update(term.getBytes(StandardCharsets.UTF_8));
    return (int) sum.getValue();
  }
}
