package dev.substrat.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.substrat.console.RichText.RichTextKind;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Rendering of messages: which markup is recognized, and which text stays plain.
final class RichTextTest {
  private static String rendered(String text) {
    return rendered(RichText.of(text));
  }

  private static String rendered(List<RichText> pieces) {
    return pieces.stream().map(RichTextTest::rendered).collect(Collectors.joining());
  }

  private static String rendered(RichText one) {
    String words = one.inner().isEmpty() ? one.text() : rendered(one.inner());
    boolean isBare = one.mark().isEmpty() || one.mark().equals(one.text());
    return one.kind() == RichTextKind.PLAIN
        ? words
        : one.kind() + (isBare ? "" : "[" + one.mark() + "]") + "(" + words + ")";
  }

  @Test
  void emphasis_code_mentions_and_urls_are_recognized() {
    assertThat(rendered("**Yes**, `a b`, @ada-2!"))
        .isEqualTo("STRONG(Yes), CODE(a b), MENTION(ada-2)!");
    assertThat(rendered("```java\nint x;\n@ada\n```")).isEqualTo("BLOCK(int x;\n@ada)");
    assertThat(rendered("See https://a.example/x?y=1."))
        .isEqualTo("See LINK(https://a.example/x?y=1).");
  }

  @Test
  void a_link_keeps_the_brackets_that_it_opens() {
    assertThat(rendered("http://a.example/a_b(c)")).isEqualTo("LINK(http://a.example/a_b(c))");
    assertThat(rendered("(see http://a.example/a_b(c).)"))
        .isEqualTo("(see LINK(http://a.example/a_b(c)).)");
    assertThat(rendered("(http://a.example/a)), @ada"))
        .isEqualTo("(LINK(http://a.example/a))), MENTION(ada)");
    assertThat(rendered("http://...")).isEqualTo("http://...");
  }

  @Test
  void plain_text_drops_inline_markup() {
    assertThat(RichText.bare("**Yes**, `a b`, @ada!")).isEqualTo("Yes, a b, @ada!");
  }

  @Test
  void headings_lists_quotes_and_code_blocks_are_recognized_by_line_start() {
    assertThat(rendered("# Plan for *today*\n\nWe sail."))
        .isEqualTo("HEADING(Plan for EMPHASIS(today))We sail.");
    assertThat(rendered("First:\n- a `b`\n  and more\n- @ada\nDone."))
        .isEqualTo("First:BULLETS[0](ITEM(a CODE(b)\nand more)ITEM(MENTION(ada)))Done.");
    assertThat(rendered("1. a\n   * b\n3) c\r\n"))
        .isEqualTo("NUMBERS[0](ITEM[1](a))BULLETS[1](ITEM(b))NUMBERS[0](ITEM[3](c))");
    assertThat(rendered("> He said\n> **no**\nOh.")).isEqualTo("QUOTE(He said\nSTRONG(no))Oh.");
    assertThat(rendered("| a | b |\n|---|---|\n| 1 | *2* |"))
        .isEqualTo("BLOCK(| a | b |\n|---|---|\n| 1 | *2* |)");
    assertThat(rendered("- x\n```\n# no\n- no\n```\n- y"))
        .isEqualTo("BULLETS[0](ITEM(x))BLOCK(# no\n- no)BULLETS[0](ITEM(y))");
  }

  @Test
  void a_named_link_keeps_its_text_and_target() {
    assertThat(rendered("See [the `log`](https://a.example/x_(y)), please."))
        .isEqualTo("See LINK[https://a.example/x_(y)](the log), please.");
    assertThat(rendered("![a picture](https://a.example/p.png)"))
        .as("no pictures, only the way to them")
        .isEqualTo("LINK[https://a.example/p.png](a picture)");
  }

  @Test
  void a_link_with_an_unsafe_or_misleading_target_stays_text() {
    for (String text :
        new String[] {
          "[x](javascript:alert(1))",
          "[x](JavaScript:alert(1))",
          "[x](data:text/html,y)",
          "[x](//evil.example)",
          "[x](/logout)",
          "[https://bank.example](https://evil.example)",
          "[www.bank.example](https://evil.example)",
          "[ ](https://evil.example)"
        }) {
      assertThat(rendered(text)).isEqualTo(text);
    }
    assertThat(rendered("[[x]](https://a.example)")).isEqualTo("[[x]](LINK(https://a.example))");
    assertThat(rendered("[x](https://a.example\" onclick=y)"))
        .isEqualTo("[x](LINK(https://a.example)\" onclick=y)");
  }

  @Test
  void a_link_whose_text_names_another_host_shows_its_target() {
    assertThat(realHost("[bank.example](https://evil.example/x)")).isEqualTo("evil.example");
    assertThat(realHost("[log in at Bank.Example now](https://evil.example)"))
        .isEqualTo("evil.example");
    assertThat(realHost("https://bank.example@evil.example/x")).isEqualTo("evil.example");
    assertThat(realHost("[bank](https://bank.example:pw@evil.example:8443/x)"))
        .isEqualTo("evil.example");
    assertThat(realHost("https://b\u0430nk.example/")).isEqualTo("xn--bnk-6cd.example");
    assertThat(realHost("[127.0.0.1](https://127.evil.example)")).isEqualTo("127.evil.example");
    assertThat(realHost("[127.0.0.1:7420](http://127.0.0.1.evil.example/x)"))
        .isEqualTo("127.0.0.1.evil.example");
    assertThat(realHost("[localhost:7420](https://localhost.evil.example)"))
        .isEqualTo("localhost.evil.example");
    assertThat(realHost("[bank.example](https://bank.example.evil.example)"))
        .isEqualTo("bank.example.evil.example");
    assertThat(realHost("https://bank.ex%61mple/")).isEqualTo("bank.example");
    assertThat(realHost("http://2130706433/x")).isEqualTo("127.0.0.1");
    assertThat(realHost("http://0x7f.1:80/x")).isEqualTo("127.0.0.1");
    assertThat(realHost("http://0177.0.0.1")).isEqualTo("127.0.0.1");
    for (String honest :
        List.of(
            "[127.0.0.1](http://127.0.0.1:7420)",
            "http://127.0.0.1:7420/x",
            "http://[::1]:7420/x",
            "http://1.2.3.4.5/",
            "[the log](https://a.example/x)",
            "[a.example](https://a.example/x)",
            "[a.example](https://www.a.example:8080)",
            "https://A.example:8080/x@y",
            "[version 1.2.3](https://a.example/x)")) {
      assertThat(realHost(honest)).as(honest).isEmpty();
    }
  }

  private static String realHost(String text) {
    return RichText.of(text).getFirst().realHost();
  }

  @Test
  void plain_text_drops_block_markup() {
    assertThat(RichText.bare("## Plan\n- *sail*\n2. [rest](https://a.example)\n> so\nyes"))
        .isEqualTo("Plan\n• sail\n2. rest\nso\nyes");
  }

  @Test
  void text_without_markup_is_unchanged() {
    for (String text :
        new String[] {
          "",
          "a@b.example",
          "2 * 3 * 4",
          "2*3*4",
          "```",
          "`",
          "javascript:x",
          "** **x",
          "@",
          "#tag",
          "-5 degrees",
          ">_<",
          "---",
          "| x |",
          "\n\na\n",
          "a\r\nb",
          "#",
          "1.5 knots",
          "*",
          "[x]",
          "[](y)"
        }) {
      assertThat(rendered(text)).isEqualTo(text);
    }
  }

  @Test
  void long_runs_of_markup_characters_are_parsed_in_linear_time() {
    for (String sign :
        new String[] {
          "`",
          "*",
          "@a-",
          "```\n",
          "https://",
          "**a ",
          "https://a)))",
          "[",
          "[a](",
          "[a](https://",
          "[a](https://b(",
          "*a ",
          "- ",
          "- a\n",
          "> ",
          "> a\n",
          "# ",
          "#",
          "1. ",
          "| a |\n",
          "|\n",
          " ",
          "\n",
          "  - a\n 1. b\n",
          "![",
          "]("
        }) {
      assertThat(assertTimeout(Duration.ofSeconds(20), () -> RichText.of(sign.repeat(50_000))))
          .isNotEmpty();
    }
  }
}
