package dev.substrat.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("N9")
final class WordsTest {

  @Test
  void words_are_letters_and_digits_whatever_their_case_and_accents() {
    assertThat(Words.of("Déjà-vu: the STRASSE, the Straße; v2 & 100%!", 20))
        .containsExactly("deja", "vu", "the", "strasse", "v2", "100");
  }

  @Test
  void no_sign_of_a_query_language_is_part_of_a_word() {
    assertThat(Words.of("\"pump\"* AND (deck: NEAR/2 'x') @owner #tag {a} ^b -c 🎉", 20))
        .containsExactly("pump", "and", "deck", "near", "2", "x", "owner", "tag", "a", "b", "c");
  }

  @Test
  void scripts_without_spaces_are_cut_into_pairs() {
    assertThat(Words.of("港の倉庫", 20)).containsExactly("港", "港の", "の倉", "倉庫");
    assertThat(Words.of("v2灯塔", 20)).containsExactly("v2", "灯塔");
  }

  @Test
  void signs_that_prolong_repeat_or_voice_are_part_of_a_word() {
    assertThat(Words.of("ラーメン", 20)).containsExactly("ラ", "ラー", "ーメ", "メン");
    assertThat(Words.of("ﾗｰﾒﾝ", 20)).isEqualTo(Words.of("ラーメン", 20));
    assertThat(Words.of("人々と", 20)).containsExactly("人", "人々", "々と");
    assertThat(Words.of("学問のすゝめ", 20)).contains("すゝ", "ゝめ");
    assertThat(Words.of("いすゞ", 20)).containsExactly("い", "いす", "すゝ");
    assertThat(Words.of("ガード", 20)).containsExactly("カ", "カー", "ート");
    assertThat(Words.of("見〱", 20)).containsExactly("見", "見〱");
  }

  @Test
  void vowel_signs_stay_in_their_word() {
    assertThat(Words.of("हिन्दी भाषा", 20)).containsExactly("हिन्दी", "भाषा");
  }

  @Test
  void a_word_without_end_and_a_text_without_end_are_cut() {
    assertThat(Words.of("x".repeat(5_000), 20)).containsExactly("x".repeat(40));
    assertThat(Words.of("a b c d e", 3)).containsExactly("a", "b", "c");
  }
}
