package dev.substrat.cli.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.shell.RelativeTime;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.shell.TextTable;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// People and their roles.
@Command(
    description = "Create, list, update and remove people, and set their roles.",
    footer = {
      "  ./substrat person create ana --role operator",
      "  ./substrat person list",
      "  ./substrat person update ana --role viewer",
      "  ./substrat person remove ana",
      ""
    })
public final class PersonCommands {
  private static final String ROLES = "owner, operator, member or viewer";

  private final RootCommand shell;

  public PersonCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Command(
      name = "create",
      description = "Create a person. A token: ./substrat token create --person NAME.",
      footer = {
        "  ./substrat person create ana",
        "  ./substrat person create prometheus --role viewer",
        ""
      })
  void create(
      @Parameters(paramLabel = "NAME", description = "Lower-case letters, digits, dashes.")
          String name,
      @Option(names = "--role", paramLabel = "R", description = ROLES + " (default: member).")
          @Nullable String role,
      @Option(names = "--display-name", paramLabel = "N", description = "Shown instead of NAME.")
          @Nullable String displayName) {
    print(shell.daemon().post("/api/people", wish(role, displayName).put("name", name)));
  }

  @Command(
      name = "update",
      description = "Change the role or the display name of a person, at once.",
      footer = {
        "  ./substrat person update ana --role operator",
        "  ./substrat person update ana --display-name \"Ana B.\"",
        ""
      })
  void update(
      @Parameters(paramLabel = "NAME", description = "From ./substrat person list.") String name,
      @Option(names = "--role", paramLabel = "R", description = ROLES + ".") @Nullable String role,
      @Option(names = "--display-name", paramLabel = "N", description = "Shown instead of NAME.")
          @Nullable String displayName) {
    if (role == null && displayName == null) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS, "nothing to change", "give --role R or --display-name N");
    }
    String kept = displayName == null ? shown(name) : displayName;
    print(shell.daemon().put(DaemonClient.path("/api/people/", name), wish(role, kept)));
  }

  /// A PUT without a display name would take it away.
  private @Nullable String shown(String name) {
    for (JsonNode person : people().path("people")) {
      if (person.path("name").asText().equals(name)) {
        return person.path("displayName").textValue();
      }
    }
    return null;
  }

  private static ObjectNode wish(@Nullable String role, @Nullable String displayName) {
    var wish = JsonTree.object();
    if (role != null) {
      wish.put("role", role);
    }
    if (displayName != null) {
      wish.put("displayName", displayName);
    }
    return wish;
  }

  private void print(JsonNode person) {
    if (shell.wantsJson()) {
      shell.screen().json(person);
    } else {
      shell
          .screen()
          .line("%s: %s".formatted(person.path("name").asText(), person.path("role").asText()));
    }
  }

  @Command(
      name = "list",
      description = "All people and their roles.",
      footer = {"  ./substrat person list", ""})
  void list() {
    JsonNode list = people();
    if (shell.wantsJson()) {
      shell.screen().json(list);
      return;
    }
    if (list.path("people").isEmpty()) {
      shell.screen().line("no people yet; create one: ./substrat person create NAME");
      return;
    }
    var table = TextTable.of("NAME", "ROLE", "DISPLAY NAME", "CREATED");
    for (JsonNode person : list.path("people")) {
      table.row(
          person.path("name").asText(),
          person.path("role").asText(),
          person.path("displayName").asText(""),
          RelativeTime.time(person.path("createdAt")));
    }
    table.print(shell.screen());
  }

  private JsonNode people() {
    return shell.daemon().readAll("/api/people", "people");
  }

  @Command(
      name = "remove",
      description = "Remove a person and revoke their tokens. What they wrote stays.",
      footer = {"  ./substrat person remove ana", ""})
  void remove(
      @Parameters(paramLabel = "NAME", description = "From ./substrat person list.") String name) {
    shell.daemon().delete(DaemonClient.path("/api/people/", name));
    if (shell.wantsJson()) {
      shell.screen().json(JsonTree.object().put("removed", name));
    } else {
      shell.screen().line("removed " + name);
    }
  }
}
