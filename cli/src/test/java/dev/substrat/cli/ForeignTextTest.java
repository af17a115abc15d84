package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.protocol.HiddenCharacters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
@Timeout(300)
final class ForeignTextTest extends FakeDaemonCommands {
  /// Written once, because it is large.
  private static final String EVERYTHING = JsonTree.text(everything());

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
          "console",
          "connect",
          "completion",
          "watch",
          "agent export",
          "export");

  /// Commands that print no text of others, or none of this fake daemon. Every other command must
  /// print it; otherwise the test would prove nothing about it.
  private static final Set<String> OWN_TEXT_ONLY =
      Set.of(
          "agent terminate",
          "agent template delete",
          "space add",
          "space remove",
          "goal delete",
          "plan delete",
          "run cancel",
          "memory delete",
          "person remove",
          "token revoke");

  /// Arguments of commands that need more than one word per parameter. FILE declares an agent, TEAM
  /// a team.
  private static final Map<String, List<String>> TYPED =
      Map.ofEntries(
          Map.entry("agent create", List.of("x")),
          Map.entry("agent update", List.of("x", "--config", "FILE")),
          Map.entry("agent import", List.of("FILE")),
          Map.entry("apply", List.of("TEAM")),
          Map.entry("space react", List.of("x", "👍")),
          Map.entry("space set", List.of("x", "--topic", "x")),
          Map.entry("server approve", List.of("x", "x", "x")),
          Map.entry("run fork", List.of("x", "--from-step", "1")),
          Map.entry("person update", List.of("x", "--display-name", "x")),
          Map.entry("token create", List.of("--person", "x")));

  static Stream<List<String>> commands() {
    var line = new CommandLine(new RootCommand(Terminal.of(System.out, System.err)));
    CommandCatalog.register(
        line, new RootCommand(Terminal.of(System.out, System.err)), new String[0]);
    var leaves = new ArrayList<List<String>>();
    line.getSubcommands().forEach((name, command) -> collect(leaves, List.of(name), command));
    return leaves.stream()
        .filter(words -> !EXCLUDED.contains(words.getFirst()))
        .filter(words -> !EXCLUDED.contains(String.join(" ", words)));
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
  void no_command_prints_a_hidden_character(List<String> words) throws IOException {
    Path agent = Files.writeString(data.resolve("x.yaml"), "name: x");
    Path team =
        Files.writeString(
            data.resolve("team.yaml"), "agents: [ { name: \"evil\\u202Egnp\", handle: x } ]");
    var files = Map.of("FILE", agent.toString(), "TEAM", team.toString());
    daemon.answersOtherwise(200, EVERYTHING);
    daemon.answers("GET /api/agents", 200, EVERYTHING);
    String shown = "";
    for (String form : List.of("", "--json")) {
      var typed = new ArrayList<>(words);
      List<String> more = TYPED.get(String.join(" ", words));
      typed.addAll(more == null ? parameters(words) : more);
      typed.replaceAll(word -> files.getOrDefault(word, word));
      if (!form.isEmpty()) {
        typed.add(form);
      }
      CliOutput ran = run(typed.toArray(String[]::new));
      shown += ran.out() + ran.err();
    }
    assertThat(HiddenCharacters.escape(shown)).isEqualTo(shown);
    if (!OWN_TEXT_ONLY.contains(String.join(" ", words))) {
      assertThat(shown).as("%s", words).containsAnyOf("evil\\u{202E}gnp", "evil\\u202egnp");
    }
  }

  @Test
  void the_commands_without_foreign_text_exist() {
    assertThat(commands().map(words -> String.join(" ", words))).containsAll(OWN_TEXT_ONLY);
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
            "people",
            "providers",
            "unread")) {
      all.putArray(list).add(list.equals("warnings") ? all.textNode(HOSTILE) : one.deepCopy());
      one.putArray(list).add(list.equals("warnings") ? all.textNode(HOSTILE) : one());
    }
    all.putArray("agents").add(one);
    // Found by the name that was typed.
    all.withArray("tools").add(one().put("name", "x"));
    one.withArray("tools").add(one().put("name", "x"));
    all.withArray("blocks").add(one().put("id", "x"));
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
