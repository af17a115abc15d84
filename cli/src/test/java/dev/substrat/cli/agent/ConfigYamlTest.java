package dev.substrat.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Written YAML is parsed to the same values.
final class ConfigYamlTest {
  private static final List<String> PIECES =
      List.of(
          " ", "\n", "\t", "\r\n", ":", "- ", "#", "'", "\"", "\\", "{", "}", "[", "&a", "*a", "!",
          "|", ">", "%", "@", "?", ",", "~", "0", "1e3", "é", "→", "\u0085", "\u2028", "😀", "null",
          "x");

  private static ObjectNode read(String yaml) {
    return ConfigFile.parse("yaml", yaml.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "yes",
        "no",
        "on",
        "off",
        "true",
        "null",
        "~",
        "1",
        "1.0",
        "-1",
        "0x1F",
        "0b1",
        "017",
        "1_000",
        "1e3",
        ".5",
        ".inf",
        ".nan",
        "12:30",
        "2026-01-01",
        "=",
        "<<",
        "- a",
        "a: b",
        "a:",
        ": a",
        "#a",
        "a #b",
        "*a",
        "&a",
        "!a",
        "@a",
        "`a",
        "%a",
        "|",
        ">",
        "? a",
        "[a",
        "{a",
        "'a",
        "\"a",
        "a\\b",
        "line\n",
        "\nline",
        "a\n\nb",
        "a \nb",
        " a\nb",
        "a\r\nb",
        "\ta",
        "é → 😀"
      })
  void unusual_texts_are_preserved(String text) {
    var team =
        JsonTree.object().put("text", text).put(text.isEmpty() ? "k" : text.strip() + "k", 1L);
    team.putArray("list").add(text).add(1L).add(2.5).add(true).addNull();

    assertThat(read(ConfigYaml.text(team))).isEqualTo(team);
  }

  @Test
  void random_texts_are_preserved() {
    var random = new Random(7);
    for (int round = 0; round < 500; round++) {
      var text = new StringBuilder();
      for (int i = random.nextInt(12); i >= 0; i--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      var team = JsonTree.object().put("text", text.toString());
      team.putArray("list").add(text.toString());

      assertThat(read(ConfigYaml.text(team))).as("round " + round).isEqualTo(team);
    }
  }

  @Test
  void texts_are_unquoted_where_possible() {
    var team = JsonTree.object().put("name", "Mira").put("systemPrompt", "You lead.\nCalmly.\n");

    assertThat(ConfigYaml.text(team))
        .isEqualTo("name: Mira\nsystemPrompt: |\n  You lead.\n  Calmly.\n");
  }
}
