package dev.substrat.provider.agentcli;

import dev.substrat.provider.ProviderCapabilities;
import java.util.List;

/// One agent CLI: its command line for a turn, and the parser of its output.
public interface AgentCli {
  /// How configurations name it.
  String name();

  /// What it is started with if a configuration names no command of its own.
  List<String> command();

  ProviderCapabilities capabilities();

  /// Everything it takes to have it think about this turn.
  CliLaunch start(CliAssignment turn);

  /// Understands the output of one process.
  CliOutputParser outputParser(CliAssignment turn);

  /// True if these words, its last ones, say that it does not know the conversation it was to go on
  /// with.
  boolean isUnknownSession(String words);

  /// Files in its home directory that exist after a login; empty if unknown.
  default List<String> loginFiles() {
    return List.of();
  }

  /// What it tells the use of.
  default Counting counting() {
    return Counting.OF_TURN;
  }

  /// How usage is reported at the end of a turn.
  enum Counting {
    OF_TURN,
    OF_CONVERSATION,
    /// Tokens of the turn, but what the whole conversation has cost.
    COST_OF_CONVERSATION
  }
}
