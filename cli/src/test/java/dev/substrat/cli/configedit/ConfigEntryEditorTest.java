package dev.substrat.cli.configedit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// For any file: every byte outside our entry is unchanged, and only our entry is added to the
/// parsed content.
final class ConfigEntryEditorTest {
  private static final int FILES = Boolean.getBoolean("substrat.full") ? 10_000 : 500;
  private static final List<String> PATH = List.of("servers", "ours");

  @ParameterizedTest
  @EnumSource
  void only_our_entry_is_added_changed_and_removed(ConfigFormat notation) throws IOException {
    int refused = 0;
    for (int seed = 0; seed < FILES; seed++) {
      String text = SampleFiles.of(notation, seed);
      var entry = JsonTree.object().put("command", "/bin/s" + seed);
      entry.putArray("args").add("mcp").add("ü \"#'\\");
      try {
        check(notation, text, entry);
      } catch (Fault fault) {
        assertThat(fault.message()).as(text).contains("cannot be changed safely");
        refused++;
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + "\n" + text, e);
      }
    }
    // Rejecting unusual layouts is allowed, rejecting common ones is not.
    assertThat(refused).isLessThan(FILES / 100);
  }

  private static void check(ConfigFormat notation, String text, ObjectNode entry)
      throws IOException {
    var before = ConfigEntryEditor.of("f", notation, text);
    ObjectNode expected = before.value().deepCopy();
    String with = before.with(PATH, entry);
    ObjectNode servers =
        expected.path("servers") instanceof ObjectNode there
            ? there
            : expected.putObject("servers");
    boolean wasThere = servers.has("ours");
    servers.set("ours", entry);
    assertThat(notation.editor().parse(with)).isEqualTo(expected);
    if (!wasThere) {
      assertOnlyAdds(text, with);
    }

    var after = ConfigEntryEditor.of("f", notation, with);
    assertThat(after.with(PATH, entry)).as("twice").isEqualTo(with);
    String without = after.without(PATH);
    servers.remove("ours");
    if (servers.isEmpty() && notation == ConfigFormat.TOML) {
      expected.remove("servers");
    }
    assertThat(notation.editor().parse(without)).isEqualTo(expected);
    if (!wasThere && !servers.isEmpty()) {
      assertThat(without.strip()).as("there and back").isEqualTo(text.strip());
    }
  }

  /// The new text is the old one with one inserted piece and at most a comma before it.
  private static void assertOnlyAdds(String before, String after) {
    int at = 0;
    while (at < before.length() && before.charAt(at) == after.charAt(at)) {
      at++;
    }
    boolean adds =
        isOnePieceMore(before, after)
            || (after.charAt(at) == ','
                && isOnePieceMore(before, after.substring(0, at) + after.substring(at + 1)));
    // Only null in place of an empty container is replaced.
    assertThat(adds || before.contains("null") || before.contains("~")).as(after).isTrue();
  }

  private static boolean isOnePieceMore(String before, String after) {
    int head = 0;
    while (head < before.length() && before.charAt(head) == after.charAt(head)) {
      head++;
    }
    return after.endsWith(before.substring(head));
  }
}
