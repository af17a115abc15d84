package dev.substrat.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Prints a single-use sign-in link for the web console.
@Command(
    description = "Print a single-use sign-in link for the web console.",
    footer = {"  ./substrat console", "  ./substrat console --open", ""})
final class ConsoleCommand implements Runnable {
  /// Programs that open a URL, on Linux desktops and macOS.
  private static final List<String> OPENERS = List.of("xdg-open", "open");

  private final RootCommand shell;

  @Option(names = "--open", description = "Also open the link in the browser.")
  private boolean open;

  ConsoleCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    JsonNode link = shell.daemon().post("/api/login-links", JsonTree.object());
    String url = link.path("url").asText();
    if (!shell.printsJson(link)) {
      shell.line(url);
      shell.note("this link works once, within 15 minutes");
    }
    if (open && OPENERS.stream().noneMatch(opener -> starts(opener, url))) {
      shell.note("no browser found; copy the link into a browser");
    }
  }

  /// Does not wait: some openers run until the browser exits.
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
