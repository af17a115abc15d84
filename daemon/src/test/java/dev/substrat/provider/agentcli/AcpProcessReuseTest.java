package dev.substrat.provider.agentcli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.sandbox.SandboxAssumption;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An ACP process stays between turns, unless its sandbox or directory changed.
@Timeout(300)
final class AcpProcessReuseTest {
  /// Prints its process id, its directory, and the files in `/seen`.
  private static final String SPEAKER =
      """
      me=$RANDOM$RANDOM$RANDOM
      reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$1" "$2"; }
      while IFS= read -r line; do
        id=$(sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p' <<<"$line")
        case $line in
          *'"initialize"'*) reply "$id" '{"protocolVersion":1,"agentCapabilities":{}}' ;;
          *'"session/new"'*)
            SUBSTRAT_MCP_URL=$(grep -o 'http://[^"]*' <<<"$line")
            MCP_TOKEN=$(grep -o 'Bearer [^"]*' <<<"$line"); MCP_TOKEN=${MCP_TOKEN#Bearer }
            list_tools
            reply "$id" '{"sessionId":"s"}' ;;
          *'"session/prompt"'*)
            printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%s %s %s"}}}}\\n' "$me" "$PWD" "$(cat /seen 2>/dev/null)"
            reply "$id" '{"stopReason":"end_turn"}' ;;
        esac
      done
      """;

  @TempDir private Path directory;
  private TestDatabase place;
  private CliTeam team;
  private Path program;

  @BeforeEach
  void start() throws IOException {
    place = TestDatabase.fresh(Dialect.SQLITE);
    team = new CliTeam(place, directory);
    program = team.program("speaker", CliTeam.MCP + SPEAKER);
    SandboxAssumption.requireWorks(team.engine().dependencies().workspaces().sandbox());
  }

  @AfterEach
  void stop() throws IOException {
    team.close();
    place.close();
  }

  private String config(String workspace) {
    return "{name: ada, provider: {name: acp, command: [%s]}, workspace: %s}"
        .formatted(program, workspace);
  }

  private void change(String workspace) {
    AgentConfig config = Json.as(Yaml.own(config(workspace)), AgentConfig.class);
    team.engine()
        .dependencies()
        .database()
        .transact(tx ->
            team.engine().agents().update(tx, "ada", team.engine().providers().prepare(config)));
  }

  private String[] ask() {
    return team.answer(team.ask("ada", "who, where, what?")).split(" ", -1);
  }

  @Test
  @Requirement({"S0-29", "S0-34"})
  void a_changed_sandbox_or_directory_starts_another_process() throws IOException {
    Path book = Files.writeString(directory.toRealPath().resolve("book"), "once");
    Path otherDirectory = Files.createDirectory(directory.toRealPath().resolve("elsewhere"));
    team.engine().dependencies().workspaces().sandbox().handOver(otherDirectory);
    team.create(config("{}"));
    String[] first = ask();
    assertThat(ask()).as("it stays").isEqualTo(first);

    change("{views: [{path: %s, as: /seen}]}".formatted(book));
    String[] second = ask();
    assertThat(second[0]).isNotEqualTo(first[0]);
    assertThat(second[2]).isEqualTo("once");

    change("{path: %s}".formatted(otherDirectory));
    String[] third = ask();
    assertThat(third[0]).isNotEqualTo(second[0]);
    assertThat(third[1]).isEqualTo(otherDirectory.toString());
    assertThat(third[2]).isEmpty();
    assertThat(ask()).as("it stays").isEqualTo(third);
  }
}
