package dev.substrat.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.protocol.HiddenCharacters.TextPart;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HiddenCharactersTest {
  static IntStream hidden() {
    return Stream.of(
            IntStream.rangeClosed(0x202a, 0x202e),
            IntStream.rangeClosed(0x2066, 0x2069),
            IntStream.rangeClosed(0x200b, 0x200f),
            IntStream.rangeClosed(0x2060, 0x206f),
            IntStream.of(0xfeff, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5),
            IntStream.rangeClosed(0x180b, 0x180f),
            IntStream.of(0x3164, 0xffa0, 0x2800, 0x2028, 0x2029, 0xfff9, 0x1d173, 0x1bca0),
            IntStream.rangeClosed(0xe0000, 0xe007f),
            IntStream.rangeClosed(0xfe00, 0xfe0f),
            IntStream.of(0xe0100, 0xe01ef, 0xe000, 0xf8ff, 0xf0000, 0x10fffd, 0xffff, 0xfff0),
            IntStream.rangeClosed(0, 0x1f).filter(c -> c != '\n' && c != '\t'),
            IntStream.rangeClosed(0x7f, 0x9f))
        .flatMapToInt(each -> each);
  }

  @ParameterizedTest
  @MethodSource("hidden")
  void a_hidden_character_is_escaped_between_letters_at_the_start_and_at_the_end(int c) {
    String one = Character.toString(c);
    String escaped = "\\u{%X}".formatted(c);
    for (String text : new String[] {one, "a" + one, one + "a", "ab" + one + "cd", "я" + one}) {
      assertThat(HiddenCharacters.contains(text)).isTrue();
      assertThat(HiddenCharacters.escape(text)).isEqualTo(text.replace(one, escaped));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain text, with\n\ttabs and\r\nlines",
        "Grüße, ça va? naïve Ångström, Việt Nam, e\u0301",
        "אבג שָׁלוֹם",
        "السلام عليكم",
        // Persian needs non-joiners inside words, Urdu and Arabic carry vowel marks.
        "می\u200cخواهم",
        "كَ\u200cت",
        // Conjuncts of Hindi, Bengali, Sinhala, and a word-final chillu of older Malayalam.
        "क्\u200dष क्\u200cष",
        "র\u200d্য",
        "ශ්\u200dරී",
        "അവന്\u200d",
        "船 東京 한국어 ไทย",
        "👩\u200d🚀 👨\u200d👩\u200d👧\u200d👦 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈 ❤\ufe0f ☎\ufe0e",
        "1\ufe0f\u20e3 🇩🇪 ©\ufe0f",
        "a\u0301\u0302\u0303\u0304"
      })
  void ordinary_text_is_unchanged(String text) {
    assertThat(HiddenCharacters.contains(text)).isFalse();
    assertThat(HiddenCharacters.escape(text)).isEqualTo(text);
  }

  @Test
  void joiners_and_selectors_are_escaped_where_no_script_needs_them() {
    assertThat(HiddenCharacters.escape("oper\u200dator")).isEqualTo("oper\\u{200D}ator");
    assertThat(HiddenCharacters.escape("ی\u200c\u200cخ")).isEqualTo("ی\\u{200C}\\u{200C}خ");
    assertThat(HiddenCharacters.escape("ی\u200c ")).isEqualTo("ی\\u{200C} ");
    assertThat(HiddenCharacters.escape("👩\u200drm")).isEqualTo("👩\\u{200D}rm");
    assertThat(HiddenCharacters.escape("❤\ufe0f\ufe0f")).isEqualTo("❤\ufe0f\\u{FE0F}");
    assertThat(HiddenCharacters.escape("port 80\ufe0f")).isEqualTo("port 80\\u{FE0F}");
    assertThat(HiddenCharacters.escape("葛\udb40\udd00")).isEqualTo("葛\\u{E0100}");
  }

  @Test
  void lone_surrogates_are_escaped_and_pairs_are_not() {
    assertThat(HiddenCharacters.escape("a\ud83db\ude00")).isEqualTo("a\\u{D83D}b\\u{DE00}");
    assertThat(HiddenCharacters.contains("😀")).isFalse();
  }

  @Test
  void a_carriage_return_that_overwrites_its_line_is_escaped() {
    assertThat(HiddenCharacters.escape("rm -rf /\rls\r\n")).isEqualTo("rm -rf /\\u{D}ls\r\n");
  }

  @Test
  void marks_beyond_the_fourth_in_a_row_are_escaped() {
    String flood = "Z" + "\u0335".repeat(7) + "a" + "\u0335".repeat(2);
    assertThat(HiddenCharacters.escape(flood))
        .isEqualTo("Z" + "\u0335".repeat(4) + "\\u{335}".repeat(3) + "a" + "\u0335".repeat(2));
  }

  @Test
  void the_parts_mark_hidden_characters() {
    assertThat(HiddenCharacters.parts("a\u202eb"))
        .containsExactly(
            new TextPart("a", false), new TextPart("\u202e", true), new TextPart("b", false))
        .extracting(TextPart::shown)
        .containsExactly("a", "\\u{202E}", "b");
  }

  @Test
  void a_long_text_of_hidden_characters_takes_linear_time() {
    String text = "\u0335\u202e".repeat(500_000);
    assertThat(HiddenCharacters.parts(text)).hasSize(1_000_000);
  }
}
