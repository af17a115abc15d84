package dev.substrat.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.console.Prose.Kind;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What is made of what people and agents write.
final class ProseTest {
  private static String told(String text) {
    return Prose.of(text).stream()
        .map(one -> one.kind() == Kind.PLAIN ? one.text() : one.kind() + "(" + one.text() + ")")
        .collect(Collectors.joining());
  }

  @Test
  void what_is_common_in_talk_is_known() {
    assertThat(told("**Yes**, `a b`, @ada-2!"))
        .isEqualTo("STRONG(Yes), CODE(a b), MENTION(ada-2)!");
    assertThat(told("```java\nint x;\n@ada\n```")).isEqualTo("BLOCK(int x;\n@ada)");
    assertThat(told("See https://a.example/x?y=1."))
        .isEqualTo("See LINK(https://a.example/x?y=1).");
  }

  @Test
  void a_link_keeps_the_brackets_that_it_opens() {
    assertThat(told("http://a.example/a_b(c)")).isEqualTo("LINK(http://a.example/a_b(c))");
    assertThat(told("(see http://a.example/a_b(c).)"))
        .isEqualTo("(see LINK(http://a.example/a_b(c)).)");
    assertThat(told("(http://a.example/a)), @ada"))
        .isEqualTo("(LINK(http://a.example/a))), MENTION(ada)");
    assertThat(told("http://...")).isEqualTo("http://...");
  }

  @Test
  void the_bare_words_are_what_was_said() {
    assertThat(Prose.bare("**Yes**, `a b`, @ada!")).isEqualTo("Yes, a b, @ada!");
  }

  @Test
  void everything_else_stays_as_it_stands() {
    for (String text :
        new String[] {"", "a@b.example", "2 * 3 * 4", "```", "`", "javascript:x", "** **x", "@"}) {
      assertThat(told(text)).isEqualTo(text);
    }
  }

  @Test
  void long_texts_of_signs_are_read_in_no_time() {
    for (String sign :
        new String[] {"`", "*", "@a-", "```\n", "https://", "**a ", "https://a)))"}) {
      assertThat(Prose.of(sign.repeat(20_000))).isNotEmpty();
    }
  }
}
