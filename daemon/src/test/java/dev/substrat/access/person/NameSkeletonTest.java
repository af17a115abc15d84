package dev.substrat.access.person;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.text.SpoofChecker;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NameSkeletonTest {
  @ParameterizedTest
  @CsvSource({
    "operator, operator\u200b",
    "operator, oper\u00adator",
    "operator, \u043eperator",
    "operator, OΡERAΤOR",
    "ana, \u0430na",
    "ana, ＡＮＡ",
    "mira, mıra",
    "mira, МІRА",
    "a b, a\u00a0b",
    "a b, a\u2003 b"
  })
  void names_that_look_alike_have_the_same_skeleton(String name, String other) {
    assertThat(NameSkeleton.of(other)).isEqualTo(NameSkeleton.of(name));
  }

  @ParameterizedTest
  @CsvSource({"ana, ána", "ana, anna", "müller, muller", "船, 舟", "иван, ivan"})
  void distinguishable_names_have_different_skeletons(String name, String other) {
    assertThat(NameSkeleton.of(other)).isNotEqualTo(NameSkeleton.of(name));
  }

  /// Except for the percent sign, whose skeleton in the tables is not ASCII.
  @Test
  void the_ascii_shortcut_agrees_with_the_unicode_tables() {
    var tables = new SpoofChecker.Builder().setChecks(SpoofChecker.CONFUSABLE).build();
    IntStream.range(0x20, 0x7f)
        .filter(c -> c != '%')
        .forEach(c -> {
          String small = Character.toString(c).toLowerCase(Locale.ROOT);
          assertThat(NameSkeleton.ofAscii(c))
              .isEqualTo(tables.getSkeleton(small).toLowerCase(Locale.ROOT));
        });
  }
}
