package dev.substrat.cli.connect;

import dev.substrat.cli.connect.ConnectionEntry.Http;
import dev.substrat.cli.connect.ConnectionEntry.HttpByVariable;
import dev.substrat.cli.connect.ConnectionEntry.Stdio;
import dev.substrat.cli.edit.ConfigEntries;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Tells editors and agent tools about us, in their own files, and only what they need.
@Command(
    description = {
      "Connect an editor or agent tool (Cursor, Claude Code, Codex …) to an agent.",
      "",
      "Shows how the client's configuration file would change; --write changes it. Nothing else in",
      "the file is touched, and the file as it was is kept beside it as FILE.substrat-backup."
    },
    footer = {
      "  ./substrat connect                                   which clients are here and connected",
      "  ./substrat connect cursor --agent mira               show what would change",
      "  ./substrat connect cursor --agent mira --write       change it",
      "  ./substrat connect claude --zoo --default mira --scope project --write",
      "  ./substrat connect codex --agent mira --print        the entry alone",
      "  ./substrat connect cursor --remove --write",
      ""
    })
public final class ConnectCommand implements Runnable {
  /// Stands for a token that is made only when the file is written.
  private static final String UNMADE = "substrat_new_token";

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
    var site = EntryLocation.of(client, options.scope, options.name, shell.machine());
    if (options.remove) {
      remove(site);
    } else {
      connect(site, principal());
    }
  }

  private void list() {
    if (!options.isBare()) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "which client?",
          "name it first: ./substrat connect cursor …; ./substrat connect alone lists them");
    }
    new KnownClients(shell).print();
  }

  private ConnectPrincipal principal() {
    var holder = options.holder;
    if (holder != null && holder.agent != null) {
      return ConnectPrincipal.agent(holder.agent, shell);
    }
    return options.standard == null
        ? new ConnectPrincipal.Zoo(null)
        : ConnectPrincipal.zoo(options.standard, shell);
  }

  /// For hands, not for files: with the name of a variable where a secret would be.
  private void print(ClientKind client, ConnectPrincipal principal) {
    ConnectionEntry door = options.http() ? new HttpByVariable(url()) : stdio(principal);
    var path = new ArrayList<>(client.container(JsonTree.object()));
    path.add(options.name);
    String text = ConfigEntries.alone(client.notation(), path, door.entry(client, options.name));
    new ConnectReport(shell).snippet(client, text);
  }

  private void remove(EntryLocation site) {
    FileChange change = site.remove(options.force);
    boolean writes = options.writes() && !change.isNone();
    new ConnectReport(shell)
        .removed(writes ? ChangeResult.written(change) : ChangeResult.planned(change));
  }

  private void connect(EntryLocation site, ConnectPrincipal principal) {
    Optional<String> old = site.tie().flatMap(ClientEntry::token);
    ConnectionEntry door = options.http() ? http(principal, old) : stdio(principal);
    FileChange change = site.put(door, options.force);
    boolean writes = options.writes() && !change.isNone();
    ChangeResult outcome =
        writes ? write(site, principal, door, change) : ChangeResult.planned(change);
    new ConnectReport(shell).connected(outcome, principal);
  }

  private Stdio stdio(ConnectPrincipal principal) {
    String command =
        shell
            .machine()
            .variable("SUBSTRAT_COMMAND")
            // What a C locale has destroyed must not get into a file.
            .filter(path -> !path.contains("\ufffd"))
            .orElseThrow(() ->
                new Fault(
                    ErrorCode.INVALID_ARGUMENTS,
                    "it is not known where Substrat is, so a client could not start it",
                    "use the script at the root of Substrat, in a UTF-8 locale, or take --http"));
    return new Stdio(
        command,
        Stream.of(List.of("mcp"), principal.arguments(), List.of("--data", shell.data().toString()))
            .flatMap(List::stream)
            .toList());
  }

  /// A file in a project may end up in a repository, so no token ever goes there.
  private ConnectionEntry http(ConnectPrincipal principal, Optional<String> old) {
    if (options.scope == ConfigScope.PROJECT) {
      return new HttpByVariable(url());
    }
    var tokens = new ClientTokens(shell.daemon());
    return new Http(url(), old.filter(token -> tokens.isGood(token, principal)).orElse(UNMADE));
  }

  private String url() {
    return shell.daemon().url() + "/mcp";
  }

  private ChangeResult write(
      EntryLocation site, ConnectPrincipal principal, ConnectionEntry door, FileChange change) {
    if (!(door instanceof Http(String url, String placeholder)) || !placeholder.equals(UNMADE)) {
      return ChangeResult.written(change);
    }
    var tokens = new ClientTokens(shell.daemon());
    String token = tokens.make(principal, site.client());
    try {
      return ChangeResult.written(site.put(new Http(url, token), options.force));
    } catch (Fault fault) {
      tokens.revoke(token);
      throw fault;
    }
  }
}
