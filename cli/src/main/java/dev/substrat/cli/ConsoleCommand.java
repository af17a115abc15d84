package dev.substrat.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.wire.JsonTree;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The way into the web console: a link that lets its first visitor in, and nobody after.
@Command(
    description = "Print a link that opens the web console once.",
    footer = {"  ./substrat console", "  ./substrat console --open", ""})
final class ConsoleCommand implements Runnable {
  /// Of Linux desktops and of macOS.
  private static final List<String> OPENERS = List.of("xdg-open", "open");

  private final RootCommand shell;

  @Option(names = "--open", description = "Open it in the browser, too.")
  private boolean open;

  ConsoleCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    JsonNode link = shell.daemon().post("/api/login-links", JsonTree.object());
    String url = link.path("url").asText();
    if (shell.wantsJson()) {
      shell.screen().json(link);
    } else {
      shell.screen().line(url);
      shell.screen().note("this link works once and soon expires");
    }
    if (open && OPENERS.stream().noneMatch(opener -> starts(opener, url))) {
      shell.screen().note("nothing here opens a browser; copy the link into one");
    }
  }

  /// Does not wait: some openers stay as long as the browser does.
  private static boolean starts(String opener, String url) {
    try {
      new ProcessBuilder(opener, url)
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start();
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
