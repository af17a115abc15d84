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

final class TomlEditorTest {
  private static final List<String> PATH = List.of("mcp_servers", "ours");
  private static final ObjectNode ENTRY = JsonTree.object().put("command", "C:\\x \"y\"");
  private static final String TABLE = "[mcp_servers.ours]\ncommand = \"C:\\\\x \\\"y\\\"\"\n";

  private static final String OTHERS =
      """
      # mine
      model = "o" # big
      notes = \"""
      [mcp_servers.ours]
      not = "a table\\\\"\"""
      list = [
        "[mcp_servers.ours]", # neither
      ]

      [mcp_servers.git]
      command = 'npx'
      env = { "A.B" = "[x]" }
      """;

  private static String put(String text) {
    return ConfigEntryEditor.of("f", ConfigFormat.TOML, text).with(PATH, ENTRY);
  }

  private static String remove(String text) {
    return ConfigEntryEditor.of("f", ConfigFormat.TOML, text).without(PATH);
  }

  @Test
  void an_entry_is_a_table_at_the_end() {
    assertThat(put("")).isEqualTo(TABLE);
    assertThat(put(OTHERS)).isEqualTo(OTHERS + "\n" + TABLE);
    assertThat(remove(put(OTHERS))).isEqualTo(OTHERS);
    assertThat(put("a = 1")).isEqualTo("a = 1\n\n" + TABLE);
    assertThat(put("a = 1\r\n")).isEqualTo("a = 1\r\n\r\n" + TABLE.replace("\n", "\r\n"));
  }

  @Test
  void a_table_is_replaced_with_its_subtables() {
    String tail = "\n# about z\n[z]\nk = 1\n";
    String before =
        "a = 1\n\n[mcp_servers.ours] # us\nurl = \"u\"\n# inside\n\n[mcp_servers.ours.env]\nE = 1\n"
            + tail
            + "\n[mcp_servers.\"ours\".tools]\nt = 2\n";
    assertThat(put(before)).isEqualTo("a = 1\n\n" + TABLE + tail + "\n");
    assertThat(remove(before)).isEqualTo("a = 1\n" + tail + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[mcp_servers]\nours = { url = \"u\" }\ngit.command = \"g\"\n",
        "[mcp_servers]\nours.url = \"u\"\nours.x.y = [1,\n2]\ngit.command = \"g\"\n",
        "mcp_servers.ours.url = \"u\" # us\nmcp_servers.git.command = \"g\"\n"
      })
  void other_notations_are_found(String before) {
    assertThat(put(before)).endsWith("git.command = \"g\"\n\n" + TABLE).doesNotContain("\"u\"");
    assertThat(remove(before)).endsWith("git.command = \"g\"\n").doesNotContain("ours");
  }

  @Test
  void an_unsupported_layout_is_rejected() {
    assertThatThrownBy(() -> put("mcp_servers = { git = { command = \"g\" } }\n"))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("cannot be changed safely");
    assertThatThrownBy(() -> put("a = \nb"))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("f cannot be parsed: line");
  }
}
