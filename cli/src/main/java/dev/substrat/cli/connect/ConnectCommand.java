package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.configedit.ConfigEntryEditor;
import dev.substrat.cli.configedit.EditableTextFile;
import dev.substrat.cli.connect.ConnectionEntry.HttpEntry;
import dev.substrat.cli.connect.ConnectionEntry.HttpEntryWithVariable;
import dev.substrat.cli.connect.ConnectionEntry.StdioEntry;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TextTable;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Adds Substrat to the configuration files of editors and agent tools.
@Command(
    description = {
      "Connect an editor or agent tool (Cursor, Claude Code, Codex …) to an agent.",
      "",
      "Shows the change to the client's configuration file; --write applies it. The rest of the"
          + " file",
      "does not change. The original file is saved as FILE.substrat-backup."
    },
    footer = {
      "  ./substrat connect                                   # list clients",
      "  ./substrat connect cursor --agent mira               # show the change",
      "  ./substrat connect cursor --agent mira --write       # apply the change",
      "  ./substrat connect claude --zoo --default mira --scope project --write",
      "  ./substrat connect codex --agent mira --print        # print only the entry",
      "  ./substrat connect cursor --remove --write",
      ""
    })
public final class ConnectCommand implements Runnable {
  /// Placeholder for a token that is created when the file is written.
  private static final String NEW_TOKEN = "substrat_new_token";

  private final RootCommand shell;

  @Mixin private ConnectOptions options = new ConnectOptions();

  public ConnectCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    shell.requireLocal("connect", "the daemon's data directory");
    ClientKind client = options.client;
    if (client == null) {
      list();
      return;
    }
    options.check(client);
    if (options.prints()) {
      print(client, principal());
      return;
    }
    var site = EntryLocation.of(client, options.scope, options.name, shell.environment());
    if (options.remove) {
      remove(site);
    } else {
      connect(site, principal());
    }
  }

  private void list() {
    if (!options.isBare()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "CLIENT is missing",
          "pass the client first: ./substrat connect cursor …; list clients with: ./substrat"
              + " connect");
    }
    new KnownClients(shell).print();
  }

  private ConnectPrincipal principal() {
    var holder = options.holder;
    if (holder != null && holder.agent != null) {
      return ConnectPrincipal.agent(holder.agent, shell);
    }
    return options.standard == null
        ? new ConnectPrincipal.ZooPrincipal(null)
        : ConnectPrincipal.zoo(options.standard, shell);
  }

  /// Prints the entry for copying, with an environment variable in place of a token.
  private void print(ClientKind client, ConnectPrincipal principal) {
    ConnectionEntry entry = options.http() ? new HttpEntryWithVariable(url()) : stdio(principal);
    var path = new ArrayList<>(client.container(JsonTree.object()));
    path.add(options.name);
    String text =
        ConfigEntryEditor.newFile(client.format(), path, entry.entry(client, options.name));
    new ConnectReport(shell).snippet(client, text);
  }

  private void remove(EntryLocation site) {
    FileChange change = site.remove(options.force);
    boolean writes = options.writes() && !change.isEmpty();
    new ConnectReport(shell)
        .removed(
            writes
                ? ConnectReport.ChangeResult.written(change)
                : ConnectReport.ChangeResult.planned(change));
  }

  private void connect(EntryLocation site, ConnectPrincipal principal) {
    Optional<String> old = site.existingEntry().flatMap(ClientConfigEntry::token);
    ConnectionEntry entry = options.http() ? http(principal, old) : stdio(principal);
    FileChange change = site.put(entry, options.force);
    boolean writes = options.writes() && !change.isEmpty();
    ConnectReport.ChangeResult outcome =
        writes ? write(site, principal, entry, change) : ConnectReport.ChangeResult.planned(change);
    new ConnectReport(shell).connected(outcome, principal);
  }

  private StdioEntry stdio(ConnectPrincipal principal) {
    String command =
        shell
            .environment()
            .variable("SUBSTRAT_COMMAND")
            // A path that the C locale has corrupted must not be written to a file.
            .filter(path -> !path.contains("\ufffd"))
            .orElseThrow(() ->
                ErrorCode.INVALID_ARGUMENTS.fault(
                    "the path of Substrat is unknown, so a client cannot start Substrat",
                    "run the ./substrat script in a UTF-8 locale, or use --http"));
    return new StdioEntry(
        command,
        Stream.of(List.of("mcp"), principal.arguments(), List.of("--data", shell.data().toString()))
            .flatMap(List::stream)
            .toList());
  }

  /// No token is written to a project file, because it may be committed to a repository.
  private ConnectionEntry http(ConnectPrincipal principal, Optional<String> old) {
    if (options.scope == ConfigScope.PROJECT) {
      return new HttpEntryWithVariable(url());
    }
    var tokens = new ClientTokens(shell.daemon());
    return new HttpEntry(
        url(), old.filter(token -> tokens.isValid(token, principal)).orElse(NEW_TOKEN));
  }

  private String url() {
    return shell.daemon().url() + "/mcp";
  }

  private ConnectReport.ChangeResult write(
      EntryLocation site, ConnectPrincipal principal, ConnectionEntry entry, FileChange change) {
    if (!(entry instanceof HttpEntry(String url, String placeholder))
        || !placeholder.equals(NEW_TOKEN)) {
      return ConnectReport.ChangeResult.written(change);
    }
    var tokens = new ClientTokens(shell.daemon());
    String token = tokens.create(principal, site.client());
    try {
      return ConnectReport.ChangeResult.written(site.put(new HttpEntry(url, token), options.force));
    } catch (Fault fault) {
      tokens.revoke(token);
      throw fault;
    }
  }

  /// Creates, checks and revokes tokens for HTTP clients.
  private record ClientTokens(DaemonClient daemon) {

    String create(ConnectPrincipal principal, ClientKind client) {
      var body = JsonTree.object().put("label", client.title());
      String target =
          switch (principal) {
            case ConnectPrincipal.AgentPrincipal agent ->
                DaemonClient.path("/api/agents/", agent.id()) + "/tokens";
            case ConnectPrincipal.ZooPrincipal _ -> "/api/tokens";
          };
      if (principal instanceof ConnectPrincipal.ZooPrincipal) {
        body.put("zoo", true);
      }
      if (!standard(principal).isEmpty()) {
        body.put("defaultAgent", standard(principal));
      }
      return daemon.post(target, body).path("token").asText();
    }

    private static String standard(ConnectPrincipal principal) {
      return principal instanceof ConnectPrincipal.ZooPrincipal(var agent) && agent != null
          ? agent.id()
          : "";
    }

    void revoke(String token) {
      daemon.delete(DaemonClient.path("/api/tokens/", ClientConfigEntry.tokenId(token)));
    }

    /// True if a token from a file is still valid for this principal.
    boolean isValid(String token, ConnectPrincipal principal) {
      String id = ClientConfigEntry.tokenId(token);
      @Nullable String after = null;
      do {
        JsonNode page = daemon.read(DaemonClient.query("/api/tokens", "after", after));
        for (JsonNode one : page.path("tokens")) {
          if (one.path("id").asText().equals(id)) {
            return one.path("principal").asText().equals(principal.tokenPrincipal())
                && one.path("defaultAgent").asText("").equals(standard(principal))
                && !one.hasNonNull("revokedAt")
                && !one.hasNonNull("expiresAt");
          }
        }
        after = page.path("next").textValue();
      } while (after != null);
      return false;
    }
  }

  /// List of supported clients: whether they are installed and connected.
  private record KnownClients(RootCommand shell) {

    /// An entry for Substrat in a client's file.
    private record Found(ConfigScope scope, Path file, String name, ClientConfigEntry tie) {}

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
      rows.forEach(row -> row.problems().forEach(shell::note));
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
                ties.addAll(connections(client, scope, file));
              } catch (Fault fault) {
                problems.add(fault.message());
              }
            });
      }
      return new Row(client, ties, problems);
    }

    private static List<Found> connections(ClientKind client, ConfigScope scope, Path file) {
      ObjectNode value =
          ConfigEntryEditor.of(file.toString(), client.format(), EditableTextFile.read(file).text())
              .value();
      JsonNode entries = value;
      for (String key : client.container(value)) {
        entries = entries.path(key);
      }
      return entries.properties().stream()
          .flatMap(entry ->
              ClientConfigEntry.of(entry.getValue()).stream()
                  .map(tie -> new Found(scope, file, entry.getKey(), tie)))
          .toList();
    }

    private static String connected(Row row) {
      if (row.ties().isEmpty()) {
        return row.problems().isEmpty() ? "no" : "unknown";
      }
      return row.ties().stream()
          .map(found ->
              found.tie().holder()
                  + (found.scope() == ConfigScope.PROJECT ? " (this project)" : ""))
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
}
