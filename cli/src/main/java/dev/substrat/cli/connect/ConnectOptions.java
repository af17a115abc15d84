package dev.substrat.cli.connect;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What `connect` is told.
final class ConnectOptions {
  private static final String NAME = "[A-Za-z0-9_-]{1,64}";

  @Parameters(
      arity = "0..1",
      paramLabel = "CLIENT",
      converter = EnumNames.Clients.class,
      completionCandidates = EnumNames.Clients.class,
      description = "One of ${COMPLETION-CANDIDATES}; without one, a list of them.")
  @Nullable ClientKind client;

  @ArgGroup(exclusive = true)
  @Nullable Holder holder;

  /// As whom the client acts.
  static final class Holder {
    @Option(names = "--agent", paramLabel = "A", description = "The client is this external agent.")
    @Nullable String agent;

    @Option(names = "--zoo", description = "The client may look at agents and put one into a chat.")
    boolean zoo;
  }

  @Option(
      names = "--default",
      paramLabel = "A",
      description = "With --zoo: the agent that a fresh chat becomes.")
  @Nullable String standard;

  @ArgGroup(exclusive = true)
  @Nullable Transport transport;

  /// How it gets here.
  static final class Transport {
    @Option(names = "--stdio", description = "It starts ./substrat mcp (default); holds no secret.")
    boolean stdio;

    @Option(names = "--http", description = "It calls the daemon's URL with a token.")
    boolean http;
  }

  @Option(
      names = "--scope",
      paramLabel = "S",
      defaultValue = "user",
      converter = EnumNames.Scopes.class,
      completionCandidates = EnumNames.Scopes.class,
      description = "user (default), or project: the file in this directory.")
  ConfigScope scope = ConfigScope.USER;

  @Option(
      names = "--name",
      paramLabel = "N",
      defaultValue = "substrat",
      description = "What the client calls us (default: substrat).")
  String name = "substrat";

  @ArgGroup(exclusive = true)
  @Nullable Mode mode;

  /// What becomes of it; without either, the difference is shown and nothing is changed.
  static final class Mode {
    @Option(names = "--write", description = "Change the file, instead of showing how.")
    boolean write;

    @Option(names = "--print", description = "Print the entry alone, to be copied.")
    boolean print;
  }

  @Option(names = "--remove", description = "Take our entry out again.")
  boolean remove;

  @Option(names = "--force", description = "Also if the entry of that name is not ours.")
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

  /// A list of clients is all that makes sense without one.
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
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "'%s' cannot be the name of an entry".formatted(name),
          "use letters, digits, - and _, at most 64");
    }
    if (remove && prints()) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "--remove and --print do not go together",
          "leave --print out to see what would be removed");
    }
    if (standard != null && (holder == null || !holder.zoo)) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "--default goes with --zoo",
          "an agent's client is always that agent: leave --default out, or take --zoo");
    }
    if (!remove && holder == null) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "as whom shall %s act?".formatted(chosen.title()),
          "name an external agent: ./substrat connect %s --agent NAME, or take --zoo"
              .formatted(chosen.word()));
    }
  }
}
