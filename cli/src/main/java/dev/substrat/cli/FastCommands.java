package dev.substrat.cli;

import dev.substrat.cli.access.TokenCommands;
import dev.substrat.cli.agent.AgentCommands;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.message.InboxCommand;
import dev.substrat.cli.space.SpaceCommands;
import dev.substrat.cli.terminal.CliVersion;
import dev.substrat.cli.terminal.RootCommand;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Runs commands without arguments of their own directly, without picocli.
///
/// picocli is compiled for a Java version whose classes the JVM's AOT cache does not accept;
/// loading it takes three quarters of the time of `status`. The commands here accept only global
/// options. Any other command line is parsed by picocli.
final class FastCommands {

  private FastCommands() {}

  /// Empty if picocli has to parse the command line.
  static Optional<Runnable> find(RootCommand shell, String[] args) {
    boolean json = false;
    Path data = null;
    var words = new StringBuilder();
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("--json") && !json) {
        json = true;
      } else if (args[i].equals("--data") && data == null && i + 1 < args.length) {
        data = Path.of(args[++i]);
      } else {
        words.append(words.isEmpty() ? "" : " ").append(args[i]);
      }
    }
    return Optional.ofNullable(command(words.toString(), shell.with(json, data)));
  }

  private static void version(RootCommand shell) {
    shell.terminal().json(JsonTree.object().put("version", CliVersion.number()));
  }

  private static @Nullable Runnable command(String words, RootCommand shell) {
    return switch (words) {
      case "status" -> new StatusCommand(shell);
      case "version", "--version" -> shell.wantsJson() ? () -> version(shell) : null;
      case "stop" -> new StopCommand(shell);
      case "console" -> new ConsoleCommand(shell);
      case "inbox" -> new InboxCommand(shell);
      case "agent list" -> new AgentCommands(shell)::list;
      case "agent tree" -> new AgentCommands(shell)::tree;
      case "space list" -> new SpaceCommands(shell)::list;
      case "token list" -> new TokenCommands(shell)::list;
      default -> null;
    };
  }
}
