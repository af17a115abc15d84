package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.shell.Terminal;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.HiddenCharacters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/// Every command prints untrusted text without hidden characters. The commands are taken from the
/// catalog, so new ones are covered automatically.
@Timeout(60)
final class ForeignTextTest extends PlayedCommands {
  private static final String HOSTILE =
      "evil\u202egnp\u2066\u200b\u001b[31m\u001b]0;owned\u0007\u009b2J\ufeff\udb40\udc41\u00ad\u3164";

  /// Start programs, wait for processes, write files of other programs, or never end; `export`
  /// writes a file, which is exact unless a terminal shows it.
  private static final Set<String> EXCLUDED =
      Set.of(
          "up",
          "demo",
          "mcp",
          "stop",
          "doctor",
          "console",
          "connect",
          "completion",
          "watch",
          "export");

  /// Commands that print untrusted text; otherwise the other test would prove nothing.
  private static final Set<String> SHOWING =
      Set.of(
          "agent list",
          "agent show",
          "agent tree",
          "message list",
          "message show",
          "inbox",
          "space list",
          "space show",
          "space read",
          "pending list",
          "pending show",
          "server list",
          "server show",
          "workspace list",
          "workspace diff",
          "tool list",
          "run list",
          "run show",
          "token list",
          "goal list",
          "plan list");

  static Stream<List<String>> commands() {
    var line = new CommandLine(new RootCommand(Terminal.of(System.out, System.err)));
    CommandCatalog.register(
        line, new RootCommand(Terminal.of(System.out, System.err)), new String[0]);
    var leaves = new ArrayList<List<String>>();
    line.getSubcommands().forEach((name, command) -> collect(leaves, List.of(name), command));
    return leaves.stream().filter(words -> !EXCLUDED.contains(words.getFirst()));
  }

  private static void collect(List<List<String>> leaves, List<String> words, CommandLine command) {
    if (command.getSubcommands().isEmpty()) {
      leaves.add(words);
    }
    command
        .getSubcommands()
        .forEach((name, below) -> {
          var deeper = new ArrayList<>(words);
          deeper.add(name);
          collect(leaves, deeper, below);
        });
  }

  @ParameterizedTest
  @MethodSource("commands")
  void no_command_prints_a_hidden_character(List<String> words) {
    daemon.answersOtherwise(200, JsonTree.text(everything()));
    daemon.answers("GET /api/agents", 200, JsonTree.text(everything()));
    String shown = "";
    for (String form : List.of("", "--json")) {
      var typed = new ArrayList<>(words);
      typed.addAll(parameters(words));
      if (!form.isEmpty()) {
        typed.add(form);
      }
      Ran ran = run(typed.toArray(String[]::new));
      shown += ran.out() + ran.err();
    }
    assertThat(HiddenCharacters.escape(shown)).isEqualTo(shown);
    if (SHOWING.contains(String.join(" ", words))) {
      assertThat(shown).contains("evil\\u{202E}gnp", "evil\\u202egnp");
    }
  }

  @Test
  void the_commands_that_show_foreign_text_exist() {
    assertThat(commands().map(words -> String.join(" ", words))).containsAll(SHOWING);
  }

  @Test
  void only_our_own_colour_codes_pass_and_only_on_colour_terminals() {
    String line = "\u001b[31mfailed\u001b[0m: \u001b[8mhidden\u001b]0;title\u0007";
    assertThat(printed(line, true))
        .isEqualTo("\u001b[31mfailed\u001b[0m: \\u{1B}[8mhidden\\u{1B}]0;title\\u{7}\n");
    assertThat(printed(line, false)).startsWith("\\u{1B}[31mfailed").doesNotContain("\u001b");
  }

  private static String printed(String line, boolean isTerminal) {
    var out = new ByteArrayOutputStream();
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    new Terminal(stream, stream, InputStream.nullInputStream(), isTerminal, isTerminal, false)
        .line(line);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void json_stays_json() throws IOException {
    var out = new ByteArrayOutputStream();
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    Terminal.of(stream, stream).json(JsonTree.object().put("name", HOSTILE));
    assertThat(JsonTree.parse(out.toByteArray()).path("name").asText()).isEqualTo(HOSTILE);
  }

  /// The required arguments of the command.
  private static List<String> parameters(List<String> words) {
    CommandLine command = new CommandLine(new RootCommand(Terminal.of(System.out, System.err)));
    CommandCatalog.register(
        command,
        new RootCommand(Terminal.of(System.out, System.err)),
        words.toArray(String[]::new));
    for (String word : words) {
      command = Objects.requireNonNull(command.getSubcommands().get(word));
    }
    return command.getCommandSpec().positionalParameters().stream()
        .filter(one -> one.arity().min() > 0)
        .map(_ -> "x")
        .toList();
  }

  /// A response with all fields that commands read, filled with hostile text.
  private static ObjectNode everything() {
    ObjectNode one = one();
    ObjectNode all = one();
    for (String list :
        List.of(
            "agents",
            "pending",
            "messages",
            "spaces",
            "tools",
            "servers",
            "members",
            "runs",
            "tokens",
            "goals",
            "plans",
            "entries",
            "workspaces",
            "files",
            "blocks",
            "passages",
            "templates",
            "budgets",
            "versions",
            "warnings",
            "schedules",
            "unread")) {
      all.putArray(list).add(list.equals("warnings") ? all.textNode(HOSTILE) : one.deepCopy());
      one.putArray(list).add(list.equals("warnings") ? all.textNode(HOSTILE) : one());
    }
    all.putArray("agents").add(one);
    // Found by the name that was typed.
    all.putArray("servers").add(one().put("name", "x").set("tools", one.path("tools")));
    return all;
  }

  private static ObjectNode one() {
    ObjectNode one = JsonTree.object();
    for (String key :
        List.of(
            "id",
            "callId",
            "handle",
            "name",
            "agent",
            "tool",
            "text",
            "description",
            "title",
            "message",
            "hint",
            "topic",
            "from",
            "to",
            "author",
            "sender",
            "recipient",
            "response",
            "problem",
            "path",
            "stat",
            "patch",
            "branch",
            "directory",
            "state",
            "status",
            "kind",
            "label",
            "content",
            "reason",
            "detail",
            "error",
            "person",
            "server",
            "transport",
            "goal",
            "role",
            "member",
            "spaceId",
            "runId",
            "agentId",
            "systemPrompt",
            "value")) {
      one.put(key, HOSTILE);
    }
    one.put("verdict", "quarantined").put("createdAt", "2026-01-02T09:00:00Z").put("error", false);
    one.putObject("args").put("command", HOSTILE).put(HOSTILE, HOSTILE);
    one.putObject("form").put("title", HOSTILE).put("text", HOSTILE);
    one.putObject("offered").put("description", HOSTILE);
    one.putObject("provider").put("name", HOSTILE);
    one.putArray("command").add(HOSTILE);
    return one;
  }
}
