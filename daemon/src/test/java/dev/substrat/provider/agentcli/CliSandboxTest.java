package dev.substrat.provider.agentcli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.platform.sandbox.SandboxAssumption;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Files that an agent CLI sees, and the directory it works in.
@Timeout(300)
@Requirement({"S0-28", "S0-29", "S1-20"})
final class CliSandboxTest {
  @TempDir private Path directory;
  private TestDatabase place;
  private CliTeam team;

  @BeforeEach
  void start() {
    place = TestDatabase.fresh(Dialect.SQLITE);
    team = new CliTeam(place, directory);
    SandboxAssumption.requireWorks(team.engine().dependencies().workspaces().sandbox());
  }

  @AfterEach
  void stop() throws IOException {
    team.close();
    place.close();
  }

  /// It may be the home directory of a user.
  @Test
  void files_beside_the_program_are_hidden() throws IOException {
    Files.writeString(directory.resolve("secret"), "hush");
    team.agent("ada", "list_tools\nls -A %s; cat %1$s/secret\necho over".formatted(directory));

    assertThat(team.answer(team.ask("ada", "what do you see?"))).isEqualTo("ada.sh\nover");
  }

  @Test
  void a_program_behind_symbolic_links_is_visible() throws IOException {
    Path real = Files.createDirectories(directory.resolve("versions/7"));
    Files.writeString(real.resolve("package.json"), "{}");
    Files.writeString(real.resolve("part"), "of the whole");
    team.agent("ada", "list_tools\ncat \"$(dirname \"$(readlink -f \"$0\")\")/part\"\n");
    Path file = Files.move(directory.resolve("ada.sh"), real.resolve("ada.sh"));
    Files.createSymbolicLink(directory.resolve("ada.sh"), directory.relativize(file));

    assertThat(team.answer(team.ask("ada", "go"))).isEqualTo("of the whole");
  }

  /// Each has a token, in a file and in its environment, while it is at work.
  @Test
  @Requirement("S0-31")
  void an_agent_cannot_read_the_turn_token_of_another() throws IOException {
    Agent ada =
        team.agent(
            "ada",
            """
            list_tools
            mkfifo gate; read -r word < gate
            echo over
            """,
            "args: ['{{mcp.configFile}}']");
    Message question = team.ask("ada", "stay");
    Path gate = team.engine().dependencies().workspaces().directory(ada).resolve("gate");
    team.await(() -> Files.exists(gate));
    Path homes = team.data().resolve("minds");
    assertThat(homes.resolve(ada.id().value()).resolve("cli")).isNotEmptyDirectory();

    team.agent(
        "eve",
        """
        list_tools
        find "$1" -type f -not -path "$HOME/*" 2>/dev/null
        cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep ^SUBSTRAT_MIND= | grep -v "$HOME"
        ls "$1"
        """,
        "args: [%s]".formatted(homes));
    Agent eve = team.engine().agents().require("eve");

    assertThat(team.answer(team.ask("eve", "look around"))).isEqualTo(eve.id().value());

    Files.writeString(gate, "go\n");
    assertThat(team.answer(question)).isEqualTo("over");
  }

  /// A person's directory is the parent's: a child with a branch of its own works there.
  @Test
  @Requirement({"S0-23", "A15"})
  void a_child_with_its_own_branch_works_in_the_configured_directory_of_its_parent()
      throws Exception {
    Path repository = repository();
    team.agentIn(
        repository,
        "ada",
        """
        list_tools
        if [ "$PWD" = "$1" ]; then
          mcp '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"spawn_agent","arguments":{"name":"kid","instructions":"go"}}}' >/dev/null
        fi
        echo mine > "$1/${PWD##*/}"
        echo "$PWD"
        """,
        "workspace: { path: %s, mode: worktree }".formatted(repository));

    assertThat(team.answer(team.ask("ada", "go"))).isEqualTo(repository.toString());
    assertThat(repository.resolve("repository")).hasContent("mine");

    team.await(() -> team.engine().agents().find("kid").isPresent());
    Agent kid = team.engine().agents().require("kid");
    Path branch = team.data().resolve("workspaces").resolve(kid.id().value());
    assertThat(team.ended(kid.id()).response()).isEqualTo(branch.toString());
    assertThat(repository.resolve(kid.id().value())).as("file of the child").doesNotExist();
  }

  @Test
  void an_agent_in_a_configured_directory_cannot_give_children_a_sub_directory() throws Exception {
    Path chosen = Files.createDirectory(directory.toRealPath().resolve("chosen"));
    team.engine().dependencies().workspaces().sandbox().handOver(chosen);
    team.agentIn(
        chosen,
        "ada",
        """
        list_tools
        mcp '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"spawn_agent","arguments":{"name":"kid","instructions":"go","workspace_subdir":"part"}}}' \\
          | grep -o INVALID_ARGUMENTS | head -1
        """,
        "");

    assertThat(team.answer(team.ask("ada", "go"))).isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.engine().agents().find("kid")).isEmpty();
  }

  private Path repository() throws Exception {
    Path repository = Files.createDirectory(directory.toRealPath().resolve("repository"));
    for (String words :
        new String[] {
          "git init -q", "git -c user.name=m -c user.email=m@n commit -q --allow-empty -m Begin"
        }) {
      Process git = new ProcessBuilder(words.split(" ")).directory(repository.toFile()).start();
      assertThat(git.waitFor()).isZero();
    }
    team.engine().dependencies().workspaces().sandbox().handOver(repository);
    return repository;
  }
}
