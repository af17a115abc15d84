package dev.substrat.cli;

import dev.substrat.cli.terminal.RootCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Prints a shell completion script for bash and zsh.
@Command(
    description = "Print a shell completion script for bash and zsh.",
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
    // A separate command tree: the current one may contain only the called command.
    var all = new CommandLine(new RootCommand(shell.terminal()));
    CommandCatalog.registerAll(all, shell);
    shell.terminal().out().print(AutoComplete.bash("substrat", all));
  }
}
