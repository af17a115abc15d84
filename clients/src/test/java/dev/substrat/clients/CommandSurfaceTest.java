package dev.substrat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.substrat.cli.CliMain;
import dev.substrat.cli.terminal.CommandEnvironment;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.testkit.Requirement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// docs/attack-surface-commands.md is true: every command is run by every kind of caller against a
/// real daemon, and ends as the page says. A command without a row fails the test.
@Requirement("N7")
@Timeout(300)
final class CommandSurfaceTest {
  private static final Path PAGE = Path.of("../docs/attack-surface-commands.md");
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String HEAD =
      """
      # Attack surface of the command line

      Every command, the requests it sends, and which callers may use it. `CommandSurfaceTest` runs every command of this page
      with a token of each caller. Renew it with `-Dsubstrat.golden=renew`.

      * `yes`: the daemon accepted the requests, or rejected them for another reason than missing rights. `401`: the token is not valid.
        `403`: the caller lacks a scope or may not access the object.
      * The commands act on objects of the operator, so a member gets `403` for a pending call outside their spaces.
      * The requests are those of an owner; a rejected command sends fewer. `server reject` names a tool that does not exist, so only its
        first request is sent.
      * `scopes of another agent` is a token of the operator whose scopes are limited to another agent than that of the command.

      Requirements of routes: [attack surface](attack-surface.md).
      """;

  @TempDir Path folder;

  private CommandSurfaceFixture world;

  @BeforeEach
  void start() throws Exception {
    world = new CommandSurfaceFixture(folder);
  }

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void the_page_is_current() throws Exception {
    Map<String, List<String>> arguments = world.arguments();
    var known = new TreeSet<>(arguments.keySet());
    known.addAll(CommandSurfaceFixture.LOCAL);
    assertThat(known)
        .as("every command has a row, and every row is a command")
        .containsExactlyInAnyOrderElementsOf(CliMain.commands(screen(discard(), discard())));

    var rows = new LinkedHashMap<String, String>();
    for (Map.Entry<String, List<String>> one : arguments.entrySet()) {
      rows.put(one.getKey(), row(one.getKey(), one.getValue()));
    }
    String text = page(rows);
    if ("renew".equals(System.getProperty("substrat.golden"))) {
      Files.writeString(PAGE, text);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(text);
  }

  private String page(Map<String, String> rows) {
    var lines = new ArrayList<String>();
    lines.add(HEAD);
    lines.add("| command | requests | " + String.join(" | ", world.callers().keySet()) + " |");
    lines.add("|---|---|" + "---|".repeat(world.callers().size()));
    rows.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .forEach(lines::add);
    lines.add(
        """

        ## Local commands

        These commands need the machine of the daemon and take no token of the caller: %s.\
        """
            .formatted(
                CommandSurfaceFixture.LOCAL.stream()
                    .map(name -> "`" + name + "`")
                    .collect(Collectors.joining(", "))));
    return String.join("\n", lines) + "\n";
  }

  /// Runs the command for each caller, the owner last, because the owner's call may delete
  /// something.
  private String row(String command, List<String> arguments) throws IOException {
    var cells = new ArrayList<String>();
    List<String> requests = List.of();
    for (String token : world.callers().values()) {
      world.proxy().requests();
      cells.add(run(command, arguments, token));
      requests = world.proxy().requests();
    }
    String routes =
        requests.stream()
            .map(world::route)
            .distinct()
            .map(route -> "`" + route + "`")
            .collect(Collectors.joining("<br>"));
    return "| `%s` | %s | %s |".formatted(command, routes, String.join(" | ", cells));
  }

  private String run(String command, List<String> arguments, String token) throws IOException {
    var err = new ByteArrayOutputStream();
    var machine =
        new CommandEnvironment(
            Map.of("SUBSTRAT_TOKEN", token, "SUBSTRAT_URL", world.proxy().url()),
            folder.toString(),
            folder.toString(),
            CommandEnvironment.OperatingSystem.LINUX);
    String[] words =
        Stream.of(Stream.of(command.split(" ")), arguments.stream(), Stream.of("--json"))
            .flatMap(part -> part)
            .toArray(String[]::new);
    int exit = CliMain.run(screen(discard(), print(err)), machine, words);
    return exit == 0 ? "yes" : outcome(command, err.toString(StandardCharsets.UTF_8));
  }

  private static String outcome(String command, String err) throws IOException {
    String last = err.lines().filter(line -> line.startsWith("{")).reduce((_, b) -> b).orElse("{}");
    JsonNode problem = JSON.readTree(last);
    String code = problem.path("code").asText();
    return switch (code) {
      case "FORBIDDEN" -> "403";
      // Repeated authentication failures are throttled; only requests without a valid token count.
      case "UNAUTHORIZED", "RATE_LIMITED" -> "401";
      case "", "INTERNAL", "USAGE" ->
          throw new AssertionError(command + " ended unexpectedly: " + err);
      default -> "yes";
    };
  }

  private static Terminal screen(PrintStream out, PrintStream err) {
    return Terminal.of(out, err);
  }

  private static PrintStream discard() {
    return new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
  }

  private static PrintStream print(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }
}
