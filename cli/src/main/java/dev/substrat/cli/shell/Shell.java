package dev.substrat.cli.shell;

import dev.substrat.cli.wire.Daemon;
import dev.substrat.cli.wire.DataDirectory;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// The root of all commands: the options that every command takes, and what they stand for.
@Command(
    name = "substrat",
    description = "Runs teams of AI agents behind durable mailboxes.",
    versionProvider = Version.class)
public final class Shell {
  /// Names the environment variable that makes commands act as a person.
  public static final String PERSON_TOKEN = "SUBSTRAT_PERSON_TOKEN";

  private final Screen screen;
  private final Machine machine;

  @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print JSON, for programs.")
  private boolean json;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "The daemon's data directory (default: SUBSTRAT_DATA, or ~/.substrat).")
  private @Nullable Path data;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  boolean help;

  @Option(names = "--version", versionHelp = true, description = "Show the version.")
  boolean version;

  public Shell(Screen screen) {
    this(screen, Machine.here());
  }

  public Shell(Screen screen, Machine machine) {
    this.screen = screen;
    this.machine = machine;
  }

  /// With the options already known.
  public static Shell of(Screen screen, boolean json, @Nullable Path data) {
    var shell = new Shell(screen);
    shell.json = json;
    shell.data = data;
    return shell;
  }

  public Screen screen() {
    return screen;
  }

  public Machine machine() {
    return machine;
  }

  public boolean wantsJson() {
    return json;
  }

  public Path data() {
    Path chosen = data;
    return chosen == null ? DataDirectory.usual() : DataDirectory.absolute(chosen);
  }

  /// What to type next, for the same daemon.
  public String command(String words) {
    return DataDirectory.command(words, data());
  }

  /// As the person whose token stands in the environment, else as the operator. Not
  /// `SUBSTRAT_TOKEN`: MCP clients take an agent's token from there, in the same shell perhaps.
  public Daemon daemon() {
    return machine
        .variable(PERSON_TOKEN)
        .map(token -> Daemon.in(data(), token.strip(), PERSON_TOKEN))
        .orElseGet(() -> Daemon.in(data()));
  }
}
