package dev.substrat.provider.agentcli;

import dev.substrat.provider.ProviderCapabilities;
import java.util.List;

/// One agent CLI: its command line for a turn, and the parser of its output.
public interface AgentCli {
  /// Name in configurations.
  String name();

  /// Default command.
  List<String> command();

  ProviderCapabilities capabilities();

  /// Command line and files for a turn.
  CliLaunch start(CliTurnParameters turn);

  /// Parser for the output of one process.
  CliOutputParser outputParser(CliTurnParameters turn);

  /// True if the error output says that the conversation to continue does not exist.
  boolean isUnknownSession(String words);

  /// Files in its home directory that exist after a login; empty if unknown.
  default List<String> loginFiles() {
    return List.of();
  }

  /// How the CLI reports its usage.
  default UsageCounting counting() {
    return UsageCounting.OF_TURN;
  }

  /// How usage is reported at the end of a turn.
  enum UsageCounting {
    OF_TURN,
    OF_CONVERSATION,
    /// Tokens of the turn, but cost of the whole conversation.
    COST_OF_CONVERSATION
  }
}
