package dev.substrat.cli.connect;

import dev.substrat.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Options of `connect`.
final class ConnectOptions {
  private static final String NAME = "[A-Za-z0-9_-]{1,64}";

  @Parameters(
      arity = "0..1",
      paramLabel = "CLIENT",
      converter = EnumNameConverter.ClientKindConverter.class,
      completionCandidates = EnumNameConverter.ClientKindConverter.class,
      description = "Client: ${COMPLETION-CANDIDATES} (default: list all clients).")
  @Nullable ClientKind client;

  @ArgGroup(exclusive = true)
  @Nullable PrincipalOptions holder;

  /// The principal that the client acts as.
  static final class PrincipalOptions {
    @Option(
        names = "--agent",
        paramLabel = "A",
        description = "External agent that the client acts as.")
    @Nullable String agent;

    @Option(
        names = "--zoo",
        description = "Connect a zoo client, which loads an agent's prompt into its chat.")
    boolean zoo;
  }

  @Option(
      names = "--default",
      paramLabel = "A",
      description = "With --zoo: agent that a new chat starts with.")
  @Nullable String standard;

  @ArgGroup(exclusive = true)
  @Nullable TransportOptions transport;

  /// Transport.
  static final class TransportOptions {
    @Option(
        names = "--stdio",
        description = "The client starts ./substrat mcp; the file contains no secret (default).")
    boolean stdio;

    @Option(names = "--http", description = "The client connects to the daemon's URL with a token.")
    boolean http;
  }

  @Option(
      names = "--scope",
      paramLabel = "S",
      defaultValue = "user",
      converter = EnumNameConverter.ConfigScopeConverter.class,
      completionCandidates = EnumNameConverter.ConfigScopeConverter.class,
      description = "Configuration file: user, or project (in this directory). Default: user.")
  ConfigScope scope = ConfigScope.USER;

  @Option(
      names = "--name",
      paramLabel = "N",
      defaultValue = "substrat",
      description = "Name of the entry in the client's file (default: substrat).")
  String name = "substrat";

  @ArgGroup(exclusive = true)
  @Nullable OutputModeOptions mode;

  /// Output mode; without either, the diff is shown and nothing is changed.
  static final class OutputModeOptions {
    @Option(names = "--write", description = "Write the file (default: only show the diff).")
    boolean write;

    @Option(names = "--print", description = "Print only the entry, without the diff.")
    boolean print;
  }

  @Option(names = "--remove", description = "Remove the entry; with --write, from the file.")
  boolean remove;

  @Option(
      names = "--force",
      description =
          "Replace or remove the entry even if Substrat did not write it (default: fail with"
              + " CONFLICT).")
  boolean force;

  boolean http() {
    return transport != null && transport.http;
  }

  boolean writes() {
    return mode != null && mode.write;
  }

  boolean prints() {
    return mode != null && mode.print;
  }

  /// True if no option is given: then clients are listed.
  boolean isBare() {
    return holder == null
        && standard == null
        && transport == null
        && mode == null
        && !remove
        && !force;
  }

  void check(ClientKind chosen) {
    if (!name.matches(NAME)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--name '%s' is not valid".formatted(name), "use at most 64 letters, digits, - and _");
    }
    if (remove && prints()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--remove and --print cannot be combined", "remove --print to see the change");
    }
    if (standard != null && (holder == null || !holder.zoo)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--default needs --zoo", "remove --default, or use --zoo instead of --agent");
    }
    if (!remove && holder == null) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--agent is missing: the agent that %s acts as".formatted(chosen.title()),
          "pass an external agent: ./substrat connect %s --agent NAME, or use --zoo"
              .formatted(chosen.optionName()));
    }
  }
}
