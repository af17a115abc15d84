package dev.substrat.cli.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TextTable;
import dev.substrat.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands for people and their roles.
@Command(
    description = "Manage people and their roles: create, list, update, remove.",
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
      description =
          "Create a person. Create their token with ./substrat token create --person NAME.",
      footer = {
        "  ./substrat person create ana",
        "  ./substrat person create prometheus --role viewer",
        ""
      })
  void create(
      @Parameters(paramLabel = "NAME", description = "Name: a-z, 0-9 and single dashes.")
          String name,
      @Option(
              names = "--role",
              paramLabel = "R",
              description = "Role: " + ROLES + " (default: member).")
          @Nullable String role,
      @Option(
              names = "--display-name",
              paramLabel = "N",
              description = "Display name (default: NAME).")
          @Nullable String displayName) {
    print(shell.daemon().post("/api/people", body(role, displayName).put("name", name)));
  }

  @Command(
      name = "update",
      description = "Change the role or the display name of a person, effective immediately.",
      footer = {
        "  ./substrat person update ana --role operator",
        "  ./substrat person update ana --display-name \"Ana B.\"",
        ""
      })
  void update(
      @Parameters(paramLabel = "NAME", description = "Name, from ./substrat person list.")
          String name,
      @Option(names = "--role", paramLabel = "R", description = "Role: " + ROLES + ".")
          @Nullable String role,
      @Option(
              names = "--display-name",
              paramLabel = "N",
              description = "Display name (default: NAME).")
          @Nullable String displayName) {
    if (role == null && displayName == null) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "nothing to change", "use --role R or --display-name N");
    }
    String kept = displayName == null ? currentDisplayName(name) : displayName;
    print(shell.daemon().put(DaemonClient.path("/api/people/", name), body(role, kept)));
  }

  /// The current display name: a PUT without one would delete it.
  private @Nullable String currentDisplayName(String name) {
    for (JsonNode person : people().path("people")) {
      if (person.path("name").asText().equals(name)) {
        return person.path("displayName").textValue();
      }
    }
    return null;
  }

  private static ObjectNode body(@Nullable String role, @Nullable String displayName) {
    var body = JsonTree.object();
    JsonTree.putIfGiven(body, "role", role);
    JsonTree.putIfGiven(body, "displayName", displayName);
    return body;
  }

  private void print(JsonNode person) {
    shell.print(
        person, "%s: %s".formatted(person.path("name").asText(), person.path("role").asText()));
  }

  @Command(
      name = "list",
      description = "List people and their roles.",
      footer = {"  ./substrat person list", ""})
  void list() {
    JsonNode list = people();
    if (shell.printsList(
        list, "people", "no people yet; create a person: ./substrat person create NAME")) {
      return;
    }
    var table = TextTable.of("NAME", "ROLE", "DISPLAY NAME", "CREATED");
    for (JsonNode person : list.path("people")) {
      table.row(person, "name", "role", "displayName", "createdAt");
    }
    table.print(shell.terminal());
  }

  private JsonNode people() {
    return shell.daemon().readAll("/api/people", "people");
  }

  @Command(
      name = "remove",
      description = "Remove a person and revoke their tokens. Their messages are kept.",
      footer = {"  ./substrat person remove ana", ""})
  void remove(
      @Parameters(paramLabel = "NAME", description = "Name, from ./substrat person list.")
          String name) {
    shell.daemon().delete(DaemonClient.path("/api/people/", name));
    shell.print(JsonTree.object().put("removed", name), "removed " + name);
  }
}
