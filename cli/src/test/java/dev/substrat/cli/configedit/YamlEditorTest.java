package dev.substrat.cli.configedit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class YamlEditorTest {
  private static final List<String> PATH = List.of("extensions", "ours");
  private static final ObjectNode ENTRY =
      JsonTree.object().put("enabled", true).put("type", "stdio").put("cmd", "/x: #y");
  private static final String LINES =
      "  ours:\n    enabled: true\n    type: stdio\n    cmd: \"/x: #y\"\n";

  private static String put(String text) {
    return ConfigEntryEditor.of("f", ConfigFormat.YAML, text).with(PATH, ENTRY);
  }

  private static String remove(String text) {
    return ConfigEntryEditor.of("f", ConfigFormat.YAML, text).without(PATH);
  }

  @Test
  void an_entry_goes_below_the_line_of_its_container() {
    String head = "# mine\nGOOSE_MODEL: é😀 # emoji\nextensions: # all\n";
    String tail = "  # files\n  developer:\n    enabled: true\n\nTAIL: |\n  a\n\n  b\n";
    assertThat(put(head + tail)).isEqualTo(head + LINES + tail);
    assertThat(remove(head + LINES + tail)).isEqualTo(head + tail);
  }

  @Test
  void a_missing_container_is_added_at_the_end() {
    assertThat(put("")).isEqualTo("extensions:\n" + LINES);
    assertThat(put("# only this\n")).isEqualTo("# only this\nextensions:\n" + LINES);
    assertThat(put("a: 1")).isEqualTo("a: 1\nextensions:\n" + LINES);
    assertThat(put("a: 1\r\n")).isEqualTo("a: 1\r\nextensions:\r\n" + LINES.replace("\n", "\r\n"));
    assertThat(put("---\na: 1\n")).isEqualTo("---\na: 1\nextensions:\n" + LINES);
    assertThat(put("extensions:\nb: 1\n")).isEqualTo("extensions:\n" + LINES + "b: 1\n");
  }

  @Test
  void removing_the_last_entry_leaves_an_empty_object() {
    assertThat(remove("extensions:\n" + LINES + "# end\nb: 1\n"))
        .isEqualTo("extensions: {}\n# end\nb: 1\n");
    assertThat(put("extensions: {}\n"))
        .startsWith("extensions: {\"ours\": {\"enabled\": true, \"type\": \"stdio\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "    url: u\n    list:\n    - a\n    - b # last\n",
        "    text: |\n      one\n\n      two\n",
        "    map: {a: 1,\n      b: 2}\n",
        "    none:\n"
      })
  void an_entry_is_replaced_completely_and_nothing_else(String old) {
    String head = "extensions:\n  a:\n    b: 1\n";
    String tail = "\n  # about c\n  c:\n    d: 2\n";
    assertThat(put(head + "  ours:\n" + old + tail)).isEqualTo(head + LINES + tail);
    assertThat(remove(head + "  ours:\n" + old + tail)).isEqualTo(head + tail);
  }

  @Test
  void flow_style_is_edited_as_flow_style() {
    assertThat(put("{a: 1, extensions: {b: {c: 1}}}"))
        .startsWith("{a: 1, extensions: {\"ours\": {")
        .endsWith("}, b: {c: 1}}}");
    assertThat(remove("extensions: {a: 1, ours: {c: 1}, b: 2} # x\n"))
        .isEqualTo("extensions: {a: 1, b: 2} # x\n");
    assertThat(remove("extensions: {a: 1, ours: {c: 1}}\n")).isEqualTo("extensions: {a: 1}\n");
    assertThat(put("extensions: {ours: 1, b: 2}\n")).endsWith("}, b: 2}\n");
    assertThat(put("extensions: ~ # none\n")).startsWith("extensions: {").endsWith("} # none\n");
    assertThat(put("{}\n")).startsWith("{\"extensions\": {");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x: &e {a: 1}\nextensions: *e\n",
        "extensions:\n  &e\n  a: 1\n",
        "a: |\n  no end",
        "a: 1\n...\n",
        "extensions: [1]\n",
        "- 1\n",
        "a: 1\n---\nb: 2\n",
        "a: 1\na: 2\n",
        "a: {\n"
      })
  void unsupported_yaml_is_rejected(String text) {
    assertThatThrownBy(() -> put(text)).isInstanceOf(Fault.class);
  }
}
