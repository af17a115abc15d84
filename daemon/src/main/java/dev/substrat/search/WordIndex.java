package dev.substrat.search;

import dev.substrat.id.AgentId;
import dev.substrat.json.Fingerprint;
import dev.substrat.store.Dialect;
import dev.substrat.store.Tx;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which words stand in which passage, in the full text of the database.
///
/// Whose a passage is and its tags are words of it, too, with a sign that no word has: so the index
/// itself meets the owner's passages only. It is asked for ids; whoever fetches what is behind them
/// asks for the owner again.
final class WordIndex {
  /// More of a passage's different words are not kept: a tsvector holds a megabyte, not more.
  private static final int MOST_WORDS = 4_000;

  private static final String PUT_ROW = "insert into passage_row (memory_id) values (?)";

  private static final String PUT_SQLITE =
      """
      insert into passage_words (rowid, words)
      select row, ? from passage_row where memory_id = ?
      """;

  private static final String PUT_POSTGRES =
      """
      insert into passage_words (words, memory_id)
      values (array_to_tsvector(string_to_array(?, ' ')), ?)
      """;

  private static final String DELETE_SQLITE =
      """
      delete from passage_words
      where rowid in (select row from passage_row where memory_id = ?)
      """;

  private static final String FIND_SQLITE =
      """
      select passage_row.memory_id as id
      from passage_words join passage_row on passage_row.row = passage_words.rowid
      where passage_words match ?
      order by passage_words.rowid desc
      limit ?
      """;

  private static final String FIND_POSTGRES =
      """
      select memory_id as id from passage_words
      where words @@ cast(? as tsquery)
      order by row desc
      limit ?
      """;

  private WordIndex() {}

  static void put(Tx tx, AgentId owner, Passage passage) {
    String text = passage.content() + " " + String.join(" ", passage.tags());
    SequencedSet<String> words = Words.of(text, MOST_WORDS);
    String all = String.join(" ", terms(owner, passage.tags(), words));
    switch (tx.dialect()) {
      case SQLITE -> {
        tx.update(PUT_ROW, passage.id());
        tx.update(PUT_SQLITE, all, passage.id());
      }
      case POSTGRES -> tx.update(PUT_POSTGRES, all, passage.id());
    }
  }

  static void delete(Tx tx, String passage) {
    switch (tx.dialect()) {
      case SQLITE -> {
        tx.update(DELETE_SQLITE, passage);
        tx.update("delete from passage_row where memory_id = ?", passage);
      }
      case POSTGRES -> tx.update("delete from passage_words where memory_id = ?", passage);
    }
  }

  /// The ids of at most `most` passages with all these words and tags, the newest first.
  static List<String> find(
      Tx tx, AgentId owner, List<String> tags, Collection<String> words, int most) {
    List<String> terms = terms(owner, tags, words);
    return tx.list(
        tx.dialect() == Dialect.SQLITE ? FIND_SQLITE : FIND_POSTGRES,
        row -> row.text("id"),
        switch (tx.dialect()) {
          case SQLITE -> quoted(terms, "\"", " AND ");
          case POSTGRES -> quoted(terms, "'", " & ");
        },
        most);
  }

  /// Words are letters and digits, so nothing in them can end the quotes.
  private static String quoted(List<String> terms, String quote, String and) {
    return terms.stream().map(term -> quote + term + quote).collect(Collectors.joining(and));
  }

  private static List<String> terms(AgentId owner, List<String> tags, Collection<String> words) {
    var terms = new ArrayList<String>();
    terms.add("@" + owner.value().replace("-", ""));
    Stream<String> signs = tags.stream().map(WordIndex::sign).distinct();
    terms.addAll(signs.toList());
    terms.addAll(words);
    return terms;
  }

  /// A tag may have spaces and quotes; its fingerprint has none.
  private static String sign(String tag) {
    return "#" + Fingerprint.of(Folding.of(tag)).substring(0, 16);
  }
}
