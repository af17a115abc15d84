package dev.substrat.memory.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.substrat.memory.search.PassageHit.MatchReason;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.ContentHash;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@OnEveryDatabase
@Timeout(300)
@Requirement({"N9", "S4-14", "S4-15", "C22"})
final class HybridSearchTest {
  private final TestDatabase place;
  private final PassageLibrary library;
  private final AgentId ada;

  HybridSearchTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    Database database = place.open();
    this.library = new PassageLibrary(database, HybridSearch.ofWords(database));
    this.ada = library.agent();
  }

  @AfterEach
  void close() throws IOException {
    place.close();
  }

  @Test
  void literal_matches_are_found_in_any_case_and_language() {
    library.store(ada, "The bilge PUMP leaks");
    library.store(ada, "Die Straße am Kai");
    library.store(ada, "Ключ от сарая");
    library.store(ada, "ΟΔΟΣ Πειραιώς");
    library.store(ada, "港の倉庫は毎週点検される");
    library.store(ada, "party 🎉 on friday");

    assertThat(library.find(ada, "pump")).containsExactly("The bilge PUMP leaks");
    assertThat(library.find(ada, "UMP LEA")).containsExactly("The bilge PUMP leaks");
    assertThat(library.find(ada, "STRASSE")).containsExactly("Die Straße am Kai");
    assertThat(library.find(ada, "кЛЮЧ")).containsExactly("Ключ от сарая");
    assertThat(library.find(ada, "οδος")).containsExactly("ΟΔΟΣ Πειραιώς");
    assertThat(library.find(ada, "倉庫")).containsExactly("港の倉庫は毎週点検される");
    assertThat(library.find(ada, "🎉")).containsExactly("party 🎉 on friday");
    assertThat(library.find(ada, "nothing of this")).isEmpty();
  }

  @Test
  void an_agent_does_not_find_passages_of_another() {
    AgentId ben = library.agent();
    library.store(ada, "the code of the safe is 1234", "secret");
    String word = ContentHash.of(ada.value()).substring(0, 10) + "safe";
    library.store(ben, "the safe is green " + word);

    assertThat(library.find(ben, "safe")).hasSize(1).noneMatch(text -> text.contains("1234"));
    assertThat(library.find(ben, "code", "secret")).isEmpty();
    assertThat(library.find(ben, "")).hasSize(1);
    assertThat(library.find(ada, "safe")).containsExactly("the code of the safe is 1234");
  }

  @Test
  void all_words_must_occur_in_any_order_whole_or_as_parts() {
    library.store(ada, "the flange of the pump is made of brass");
    library.store(ada, "the pump ran for nine hours");
    library.store(ada, "brass polish");

    assertThat(library.find(ada, "brass pump"))
        .containsExactly("the flange of the pump is made of brass");
    assertThat(library.find(ada, "BRA lang ump")).hasSize(1);
    assertThat(library.find(ada, "pump polish")).isEmpty();
    assertThat(library.find(ada, "the zzz")).isEmpty();
  }

  @Test
  void accents_widths_and_white_space_do_not_matter() {
    library.store(ada, "Hélène préfère\n  le thé vert");
    library.store(ada, "ﾗｰﾒﾝ at ＮＩＮＥ");

    assertThat(library.find(ada, "helene the")).hasSize(1);
    assertThat(library.find(ada, "\"PREFERE le  THÉ\"")).hasSize(1);
    assertThat(library.find(ada, "ラーメン nine")).hasSize(1);
  }

  @Test
  void a_query_without_searchable_characters_finds_no_passage() {
    library.store(ada, "the pump leaks", "boat");

    assertThat(library.find(ada, "\u0301\u0308")).isEmpty();
    assertThat(library.find(ada, "\"\u0301\"")).isEmpty();
    assertThat(library.find(ada, "\u0301", "boat")).isEmpty();
    assertThat(library.find(ada, " \u00a0\n")).as("blank").hasSize(1);
  }

  @Test
  void words_of_one_or_two_characters_are_found_inside_words() {
    library.store(ada, "fuzzy xylophone");
    library.store(ada, "港の倉庫は毎週点検される");
    library.store(ada, "C# and C");

    assertThat(library.find(ada, "zz")).containsExactly("fuzzy xylophone");
    assertThat(library.find(ada, "x")).containsExactly("fuzzy xylophone");
    assertThat(library.find(ada, "庫")).containsExactly("港の倉庫は毎週点検される");
    assertThat(library.find(ada, "倉庫 点検")).containsExactly("港の倉庫は毎週点検される");
    assertThat(library.find(ada, "c#")).containsExactly("C# and C");
    assertThat(library.find(ada, "庫倉")).isEmpty();
    assertThat(library.find(ada, "q")).isEmpty();
  }

  @Test
  void a_quoted_phrase_must_occur_literally() {
    library.store(ada, "the tide table hangs in the office");
    library.store(ada, "a table of the tide");

    assertThat(library.find(ada, "tide table")).hasSize(2);
    assertThat(library.find(ada, "\"tide table\"")).hasSize(1);
    assertThat(library.find(ada, "\"tide table\" office")).hasSize(1);
    assertThat(library.find(ada, "\"tide table\" garden")).isEmpty();
  }

  @Test
  void or_separates_alternatives() {
    library.store(ada, "the pump leaks");
    library.store(ada, "the brass flange");
    library.store(ada, "neither nor");

    assertThat(library.find(ada, "pump OR flange"))
        .containsExactlyInAnyOrder("the pump leaks", "the brass flange");
    assertThat(library.find(ada, "pump leaks OR brass flange")).hasSize(2);
    assertThat(library.find(ada, "pump brass OR nor")).containsExactly("neither nor");
    assertThat(library.find(ada, "pump or flange"))
        .as("in lower case it is an ordinary word")
        .isEmpty();
    assertThat(library.find(ada, "neither OR")).as("no second side").containsExactly("neither nor");
    assertThat(library.find(ada, "OR OR")).as("words").containsExactly("neither nor");
  }

  @Test
  void a_quote_without_a_partner_is_literal() {
    library.store(ada, "a 5\" disk");
    library.store(ada, "the pump");

    assertThat(library.find(ada, "5\"")).containsExactly("a 5\" disk");
    assertThat(library.find(ada, "\"pump")).isEmpty();
    assertThat(library.find(ada, "\"\"")).isEmpty();
  }

  @Test
  void whole_words_rank_before_prefixes_and_prefixes_before_infixes() {
    library.store(ada, "the pump");
    library.store(ada, "pumping");
    library.store(ada, "the bilgepump");

    assertThat(library.find(ada, "pump")).containsExactly("the pump", "pumping", "the bilgepump");
    assertThat(library.hits(ada, "pump"))
        .extracting(PassageHit::match, PassageHit::score)
        .containsExactly(
            tuple(MatchReason.WORDS, 1.0),
            tuple(MatchReason.WORDS, 0.462),
            tuple(MatchReason.WORDS, 0.425));
  }

  @Test
  void rarer_words_count_more() {
    for (int i = 0; i < 20; i++) {
      library.store(ada, "the pump ran for " + i + " hours");
    }
    library.store(ada, "brass");
    library.store(ada, "pumps");

    assertThat(library.find(ada, "pumps OR brass").subList(0, 2)).containsExactly("pumps", "brass");
    assertThat(library.find(ada, "pump OR brass").getFirst()).isEqualTo("brass");
  }

  @Test
  void literal_matches_come_before_passages_with_the_same_words() {
    for (int i = 0; i < 100; i++) {
      library.store(ada, "tide and table " + i);
    }
    library.store(ada, "the old tide table");
    for (int i = 0; i < 100; i++) {
      library.store(ada, "table of the tide " + i);
    }

    assertThat(library.find(ada, "tide table").getFirst()).isEqualTo("the old tide table");
  }

  @Test
  void all_literal_matches_are_found_within_the_limit() {
    for (int i = 0; i < 7; i++) {
      library.store(ada, "xylophone" + i);
      library.store(ada, "the word phone stands alone");
    }

    assertThat(library.find(ada, "phone").subList(0, 7)).allMatch(text -> text.contains(" phone"));
    assertThat(search("phone", 14)).hasSize(14);
    assertThat(library.find(ada, "lophon")).hasSize(7);
  }

  @Test
  void all_tags_must_match_ignoring_case() {
    library.store(ada, "pump repaired", "Deck 2", "DONE");
    library.store(ada, "pump leaks", "deck 2");
    library.store(ada, "deck 2 swept");

    assertThat(library.find(ada, "pump", "deck 2", "done")).containsExactly("pump repaired");
    assertThat(library.find(ada, "", "deck 2")).containsExactly("pump leaks", "pump repaired");
    assertThat(library.find(ada, "pump", "deck")).isEmpty();
    assertThat(library.find(ada, "pump", "\" OR \"")).isEmpty();
  }

  @Test
  void without_a_query_the_newest_passages_come_first() {
    library.store(ada, "one");
    library.store(ada, "two");
    library.store(ada, "three");

    assertThat(library.find(ada, "")).containsExactly("three", "two", "one");
    assertThat(library.find(ada, " \n ")).containsExactly("three", "two", "one");
  }

  @Test
  void punctuation_is_matched_literally() {
    library.store(ada, "100% sure about a_b \\ \"quoted\" it's C++ (draft) *new* a:b -x NEAR");
    library.store(ada, "100 percent sure about axb");

    for (String sign :
        List.of("100%", "a_b", "\\", "\"quoted\"", "it's", "C++", "(draft)", "*new*", "a:b")) {
      assertThat(library.find(ada, sign).getFirst()).as(sign).startsWith("100% sure");
    }
    assertThat(library.find(ada, "%%")).isEmpty();
  }

  @Test
  void no_query_text_causes_an_error() {
    library.store(ada, "the pump");

    for (String text :
        List.of(
            "\"",
            "\"\"\"",
            "'",
            "''",
            "*",
            "pump*",
            "AND",
            "OR",
            "NOT",
            "NEAR(pump, 2)",
            "pump OR",
            "(",
            ")",
            "words:pump",
            "{pump}",
            "^pump",
            "-pump",
            "pump & !deck | :*",
            "<->",
            "\\",
            "%",
            "_",
            "; drop table memory; --",
            "\0",
            "pump\0",
            "\uD800",
            "👩‍👩‍👧",
            "\u0301",
            "@",
            "#",
            "?",
            "$1",
            "x".repeat(10_000),
            "pump ".repeat(10_000),
            "日".repeat(30_000))) {
      assertThat(library.find(ada, text)).as(text).hasSizeLessThanOrEqualTo(1);
    }
    assertThat(library.find(ada, "\"pump\"")).containsExactly("the pump");
  }

  @Test
  void texts_without_word_boundaries_are_stored_and_found() {
    String key = "k".repeat(200_000);
    String many = String.join(" ", IntStream.range(0, 30_000).mapToObj(i -> "w" + i).toList());
    library.store(ada, key);
    library.store(ada, many);
    library.store(ada, "—");
    library.store(ada, "");

    assertThat(library.find(ada, "w29999")).containsExactly(many);
    assertThat(library.find(ada, "kkkkk")).containsExactly(key);
    assertThat(library.find(ada, "—")).containsExactly("—");
  }

  @Test
  void deleted_passages_are_not_found() {
    String passage = library.store(ada, "the pump");
    library.store(ada, "another pump");

    library.delete(ada, passage);

    assertThat(library.find(ada, "pump")).containsExactly("another pump");
    assertThat(library.waiting()).isEqualTo(1);
  }

  @Test
  void equal_queries_give_equal_results() {
    for (int i = 0; i < 60; i++) {
      library.store(ada, "equal " + i % 3);
    }

    assertThat(search("equal", 20)).isEqualTo(search("equal", 20)).hasSize(20);
  }

  private List<PassageHit> search(String text, int limit) {
    return library.search().find(new PassageQuery(ada, text, List.of(), limit));
  }
}
