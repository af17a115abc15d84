package dev.substrat.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonAddress;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.DataDirectoryOption;
import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// Root command: the global options, and access to the terminal and the daemon.
@Command(
    name = "substrat",
    description = "Run teams of AI agents with durable inboxes.",
    abbreviateSynopsis = true,
    versionProvider = CliVersion.class)
public final class RootCommand {
  /// Environment variable with the token of a person that commands act as.
  public static final String PERSON_TOKEN = "SUBSTRAT_PERSON_TOKEN";

  private static final String URL = "SUBSTRAT_URL";
  private static final String TOKEN = "SUBSTRAT_TOKEN";

  private final Terminal terminal;
  private final CommandEnvironment environment;
  private boolean isWarned;

  @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print JSON.")
  private boolean json;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "Data directory of the daemon (default: SUBSTRAT_DATA, or ~/.substrat).")
  private @Nullable Path data;

  @Option(
      names = "--url",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description = "URL of a remote daemon (default: SUBSTRAT_URL, or the daemon in --data).")
  private @Nullable String url;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      scope = ScopeType.INHERIT,
      description = "Token to use. The process list shows it; prefer --token-file.")
  private @Nullable String token;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "File with the token to use (default with --url: SUBSTRAT_TOKEN).")
  private @Nullable Path tokenFile;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  boolean help;

  @Option(names = "--version", versionHelp = true, description = "Show the version.")
  boolean version;

  public RootCommand(Terminal screen) {
    this(screen, CommandEnvironment.current());
  }

  public RootCommand(Terminal screen, CommandEnvironment machine) {
    this.terminal = screen;
    this.environment = machine;
  }

  /// A copy with these options set.
  public RootCommand with(boolean wantsJson, @Nullable Path directory) {
    var shell = new RootCommand(terminal, environment);
    shell.json = wantsJson;
    shell.data = directory;
    return shell;
  }

  public Terminal terminal() {
    return terminal;
  }

  public CommandEnvironment environment() {
    return environment;
  }

  public boolean wantsJson() {
    return json;
  }

  /// With --json, prints `result`. True if it did.
  public boolean printsJson(JsonNode result) {
    if (json) {
      terminal.json(result);
    }
    return json;
  }

  /// Prints `result` with --json, else `text`.
  public void print(JsonNode result, String text) {
    if (!printsJson(result)) {
      terminal.line(text);
    }
  }

  /// Prints a list with --json, or `none` if it is empty; `name` is its JSON key. False if the list
  /// is still to be printed.
  public boolean printsList(JsonNode list, String name, String none) {
    boolean isPrinted = printsJson(list);
    boolean isEmpty = list.path(name).isEmpty();
    if (!isPrinted && isEmpty) {
      terminal.line(none);
    }
    return isPrinted || isEmpty;
  }

  public void line(String text) {
    terminal.line(text);
  }

  public void note(String text) {
    terminal.note(text);
  }

  public Path data() {
    Path chosen = data;
    return chosen == null
        ? DataDirectoryOption.defaultDirectory()
        : DataDirectoryOption.absolute(chosen);
  }

  /// A command line for the same daemon, for hints.
  public String command(String words) {
    if (url != null) {
      return "./substrat " + words + " --url " + url;
    }
    return isRemote() ? "./substrat " + words : DataDirectoryOption.command(words, data());
  }

  private boolean isRemote() {
    return url != null || (data == null && environment.variable(URL).isPresent());
  }

  /// Rejects a remote daemon. `needs` is what the command uses on this machine.
  public void requireLocal(String command, String needs) {
    if (isRemote()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "%s works only with a daemon on this machine, because the command needs %s"
              .formatted(command, needs),
          "run the command on the daemon's machine, without --url and %s".formatted(URL));
    }
  }

  /// A client with the given token, else with the person's token from the environment, else with
  /// the operator's token.
  public DaemonClient daemon() {
    DaemonAddress address = address();
    if (token != null) {
      return DaemonClient.at(address, token.strip(), "--token");
    }
    if (tokenFile != null) {
      return DaemonClient.at(address, read(tokenFile), "--token-file");
    }
    // Without a URL SUBSTRAT_TOKEN is ignored: it may hold an agent's token for MCP clients started
    // from the same shell.
    return Stream.of(PERSON_TOKEN, TOKEN)
        .filter(variable -> variable.equals(PERSON_TOKEN) || isRemote())
        .filter(variable -> environment.variable(variable).isPresent())
        .findFirst()
        .map(variable ->
            DaemonClient.at(
                address, environment.variable(variable).orElseThrow().strip(), variable))
        .orElseGet(() -> DaemonClient.at(address));
  }

  private DaemonAddress address() {
    if (!isRemote()) {
      return DaemonAddress.read(data());
    }
    DaemonAddress address =
        url != null
            ? DaemonAddress.at(url, "--url")
            : DaemonAddress.at(environment.variable(URL).orElseThrow(), URL);
    if (address.isUnencryptedRemote() && !isWarned) {
      isWarned = true;
      terminal.note("warning: the token is sent unencrypted; use an https:// URL");
    }
    return address;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "cannot read --token-file %s: %s".formatted(file, e.getMessage()),
          "write the token into a file that only you can read",
          e);
    }
  }
}
