package dev.substrat.cli;

import dev.substrat.cli.shell.RootCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Prints a script that teaches bash and zsh our commands.
@Command(
    description = "Print a completion script for bash and zsh.",
    footer = {
      "  source <(./substrat completion)",
      "  ./substrat completion > ~/.local/share/bash-completion/completions/substrat",
      ""
    })
final class CompletionCommand implements Runnable {
  private final RootCommand shell;

  CompletionCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    // A tree of its own: the one that runs us may hold only the command that was called.
    var all = new CommandLine(new RootCommand(shell.screen()));
    CommandCatalog.registerAll(all, shell);
    shell.screen().out().print(AutoComplete.bash("substrat", all));
  }
}
