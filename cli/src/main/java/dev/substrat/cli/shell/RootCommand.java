package dev.substrat.cli.shell;

import dev.substrat.cli.wire.DaemonAddress;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.DataDirectoryOption;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// The root of all commands: the options that every command takes, and what they stand for.
@Command(
    name = "substrat",
    description = "Runs teams of AI agents behind durable mailboxes.",
    abbreviateSynopsis = true,
    versionProvider = CliVersion.class)
public final class RootCommand {
  /// Names the environment variable that makes commands act as a person.
  public static final String PERSON_TOKEN = "SUBSTRAT_PERSON_TOKEN";

  private static final String URL = "SUBSTRAT_URL";
  private static final String TOKEN = "SUBSTRAT_TOKEN";

  private final Terminal screen;
  private final CommandEnvironment machine;
  private boolean isWarned;

  @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print JSON, for programs.")
  private boolean json;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "The daemon's data directory (default: SUBSTRAT_DATA, or ~/.substrat).")
  private @Nullable Path data;

  @Option(
      names = "--url",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description = "A daemon on another machine (default: SUBSTRAT_URL, or the one of --data).")
  private @Nullable String url;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      scope = ScopeType.INHERIT,
      description = "Act with this token; others can see it in ps, so prefer --token-file.")
  private @Nullable String token;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "File with the token (default with --url: the variable SUBSTRAT_TOKEN).")
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
    this(screen, CommandEnvironment.here());
  }

  public RootCommand(Terminal screen, CommandEnvironment machine) {
    this.screen = screen;
    this.machine = machine;
  }

  /// A new one with these options already known.
  public RootCommand with(boolean wantsJson, @Nullable Path directory) {
    var shell = new RootCommand(screen, machine);
    shell.json = wantsJson;
    shell.data = directory;
    return shell;
  }

  public Terminal screen() {
    return screen;
  }

  public CommandEnvironment machine() {
    return machine;
  }

  public boolean wantsJson() {
    return json;
  }

  public Path data() {
    Path chosen = data;
    return chosen == null ? DataDirectoryOption.usual() : DataDirectoryOption.absolute(chosen);
  }

  /// What to type next, for the same daemon.
  public String command(String words) {
    if (url != null) {
      return "./substrat " + words + " --url " + url;
    }
    return isRemote() ? "./substrat " + words : DataDirectoryOption.command(words, data());
  }

  private boolean isRemote() {
    return url != null || (data == null && machine.variable(URL).isPresent());
  }

  /// Refuses to go on for a daemon behind a URL. `needs` is what the command uses on this machine.
  public void requireLocal(String command, String needs) {
    if (isRemote()) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "%s works with a daemon on this machine only: it needs %s".formatted(command, needs),
          "run it there, without --url and %s".formatted(URL));
    }
  }

  /// The daemon, asked with the token that was given, else as the person whose token stands in the
  /// environment, else as the operator.
  public DaemonClient daemon() {
    DaemonAddress address = address();
    if (token != null) {
      return DaemonClient.at(address, token.strip(), "--token");
    }
    if (tokenFile != null) {
      return DaemonClient.at(address, read(tokenFile), "--token-file");
    }
    // Without a URL SUBSTRAT_TOKEN does not count: MCP clients take an agent's token from there, in
    // the same shell perhaps.
    return Stream.of(PERSON_TOKEN, TOKEN)
        .filter(variable -> variable.equals(PERSON_TOKEN) || isRemote())
        .filter(variable -> machine.variable(variable).isPresent())
        .findFirst()
        .map(variable ->
            DaemonClient.at(address, machine.variable(variable).orElseThrow().strip(), variable))
        .orElseGet(() -> DaemonClient.at(address));
  }

  private DaemonAddress address() {
    if (!isRemote()) {
      return DaemonAddress.read(data());
    }
    DaemonAddress address =
        url != null
            ? DaemonAddress.at(url, "--url")
            : DaemonAddress.at(machine.variable(URL).orElseThrow(), URL);
    if (address.isReadable() && !isWarned) {
      isWarned = true;
      screen.note("warning: the token is sent unencrypted; use an https:// URL");
    }
    return address;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "cannot read --token-file %s: %s".formatted(file, e.getMessage()),
          "write the token into a file that only you can read",
          e);
    }
  }
}
