package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.configedit.ConfigEntries;
import dev.substrat.cli.configedit.TextFile;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TextTable;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// List of supported clients: whether they are installed and connected.
record KnownClients(RootCommand shell) {

  /// An entry for Substrat in a client's file.
  private record Found(ConfigScope scope, Path file, String name, ClientEntry tie) {}

  private record Row(ClientKind client, List<Found> ties, List<String> problems) {}

  void print() {
    var rows = new ArrayList<Row>();
    for (ClientKind client : ClientKind.values()) {
      rows.add(inspect(client));
    }
    if (shell.wantsJson()) {
      printJson(rows);
      return;
    }
    var table = TextTable.of("CLIENT", "FOUND", "CONNECTED", "FILE");
    for (Row row : rows) {
      table.row(
          row.client().optionName(),
          row.client().isInstalled(shell.environment()) ? "yes" : "no",
          connected(row),
          path(row.client()).toString());
    }
    table.print(shell.terminal());
    rows.forEach(row -> row.problems().forEach(shell.terminal()::note));
  }

  private Path path(ClientKind client) {
    return ClientConfigPath.of(client, ConfigScope.USER, shell.environment());
  }

  private Row inspect(ClientKind client) {
    var ties = new ArrayList<Found>();
    var problems = new ArrayList<String>();
    for (ConfigScope scope : ConfigScope.values()) {
      ClientConfigPath.find(client, scope, shell.environment())
          // In the home directory both scopes use the same file.
          .filter(file -> scope == ConfigScope.USER || !file.equals(path(client)))
          .ifPresent(file -> {
            try {
              ties.addAll(ties(client, scope, file));
            } catch (Fault fault) {
              problems.add(fault.message());
            }
          });
    }
    return new Row(client, ties, problems);
  }

  private static List<Found> ties(ClientKind client, ConfigScope scope, Path file) {
    ObjectNode value =
        ConfigEntries.of(file.toString(), client.format(), TextFile.read(file).text()).value();
    JsonNode entries = value;
    for (String key : client.container(value)) {
      entries = entries.path(key);
    }
    return entries.properties().stream()
        .flatMap(entry ->
            ClientEntry.of(entry.getValue()).stream()
                .map(tie -> new Found(scope, file, entry.getKey(), tie)))
        .toList();
  }

  private static String connected(Row row) {
    if (row.ties().isEmpty()) {
      return row.problems().isEmpty() ? "no" : "unknown";
    }
    return row.ties().stream()
        .map(found ->
            found.tie().holder() + (found.scope() == ConfigScope.PROJECT ? " (this project)" : ""))
        .collect(Collectors.joining(", "));
  }

  private void printJson(List<Row> rows) {
    var json = JsonTree.object();
    var list = json.putArray("clients");
    for (Row row : rows) {
      var client =
          list.addObject()
              .put("client", row.client().optionName())
              .put("title", row.client().title())
              .put("found", row.client().isInstalled(shell.environment()))
              .put("file", path(row.client()).toString());
      var ties = client.putArray("connections");
      for (Found found : row.ties()) {
        ties.addObject()
            .put("scope", found.scope().optionName())
            .put("file", found.file().toString())
            .put("name", found.name())
            .put("transport", found.tie().transport())
            .put("as", found.tie().holder());
      }
      var problems = client.putArray("problems");
      row.problems().forEach(problems::add);
    }
    shell.terminal().json(json);
  }
}
