package dev.substrat.cli.configedit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonEditorTest {
  private static final List<String> PATH = List.of("servers", "ours");
  private static final ObjectNode ENTRY = JsonTree.object().put("command", "/x").put("n", 1);

  private static String put(String text) {
    return ConfigEntryEditor.of("f", ConfigFormat.JSON, text).with(PATH, ENTRY);
  }

  private static String remove(String text) {
    return ConfigEntryEditor.of("f", ConfigFormat.JSON, text).without(PATH);
  }

  @Test
  void an_empty_file_gets_a_complete_object() {
    assertThat(put(""))
        .isEqualTo(
            """
            {
              "servers": {
                "ours": {
                  "command": "/x",
                  "n": 1
                }
              }
            }
            """);
    assertThat(put("// mine\n")).startsWith("// mine\n{\n");
  }

  @Test
  void an_entry_is_added_last_and_comments_stay_in_place() {
    String before =
        """
        {
            // what I use
            "servers": {
                "git": { "command": "npx" } // for issues
                // "old": {}
            },
            "inputs": [] /* none */
        }
        """;
    assertThat(put(before))
        .isEqualTo(
            """
            {
                // what I use
                "servers": {
                    "git": { "command": "npx" }, // for issues
                    // "old": {}
                    "ours": {
                        "command": "/x",
                        "n": 1
                    }
                },
                "inputs": [] /* none */
            }
            """);
    assertThat(remove(put(before))).isEqualTo(before);
  }

  @Test
  void trailing_commas_are_kept() {
    String before = "{\n\t\"servers\": {\n\t\t\"a\": {},\n\t},\n}";
    assertThat(put(before))
        .isEqualTo(
            "{\n\t\"servers\": {\n\t\t\"a\": {},\n\t\t\"ours\": {\n\t\t\t\"command\": \"/x\",\n"
                + "\t\t\t\"n\": 1\n\t\t},\n\t},\n}");
    assertThat(remove(put(before))).isEqualTo(before);
  }

  @Test
  void one_line_stays_one_line() {
    assertThat(put("{\"servers\":{\"a\":1}}"))
        .isEqualTo("{\"servers\":{\"a\":1,\"ours\":{\"command\":\"/x\",\"n\":1}}}");
    assertThat(put("{\"servers\": {\"a\": 1}}"))
        .isEqualTo("{\"servers\": {\"a\": 1, \"ours\": {\"command\": \"/x\", \"n\": 1}}}");
    assertThat(remove(put("{\"servers\": {\"a\": 1}}"))).isEqualTo("{\"servers\": {\"a\": 1}}");
  }

  @Test
  void an_empty_container_opens_and_closes() {
    String before = "{\r\n  \"servers\": {}\r\n}\r\n";
    assertThat(put(before))
        .isEqualTo(
            """
            {
              "servers": {
                "ours": {
                  "command": "/x",
                  "n": 1
                }
              }
            }
            """
                .replace("\n", "\r\n"));
    assertThat(remove(put(before))).isEqualTo(before);
    assertThat(put("{\"servers\": null}")).contains("\"servers\": {\"ours\"");
  }

  @Test
  void removing_the_first_entry_keeps_the_others() {
    assertThat(
            remove(
                """
                {
                  "servers": {
                    "ours": { "command": "/y" }, // ours
                    "b": 2
                  }
                }
                """))
        .isEqualTo(
            """
            {
              "servers": {
                // ours
                "b": 2
              }
            }
            """);
  }

  @Test
  void a_long_file_is_changed_in_the_right_place() {
    var before = new StringBuilder("{\n");
    for (int i = 0; i < 4_000; i++) {
      before.append("  \"k%d\": [\"é😀\", -1.5e3], // %d\n".formatted(i, i));
    }
    String head = before + "  \"servers\": {\n    \"a\": 12345";
    String tail = "\n  },\n  \"z\": \"" + "😀".repeat(20_000) + "\"\n}\n";

    assertThat(put(head + tail)).startsWith(head + ",\n    \"ours\": {\n").endsWith("    }" + tail);
    assertThat(remove(put(head + tail))).isEqualTo(head + tail);
  }

  @Test
  void only_our_value_is_replaced() {
    assertThat(put("{\n  \"servers\": {\n    \"ours\" : [1], // us\n    \"b\": 2\n  }\n}"))
        .isEqualTo(
            "{\n  \"servers\": {\n    \"ours\" : {\n      \"command\": \"/x\",\n      \"n\": 1\n"
                + "    }, // us\n    \"b\": 2\n  }\n}");
  }

  @Test
  void invalid_json_is_rejected_with_the_line() {
    assertThatThrownBy(() -> put("{\n  \"servers\": {\n"))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("f cannot be parsed: line 3");
    assertThatThrownBy(() -> put("{\"a\":1,\"a\":2}")).isInstanceOf(Fault.class);
    assertThatThrownBy(() -> put("[]")).isInstanceOf(Fault.class);
    assertThatThrownBy(() -> put("{\"servers\":[]}"))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("'servers' in f");
    assertThatThrownBy(() -> put("{} {}")).isInstanceOf(Fault.class);
  }
}
