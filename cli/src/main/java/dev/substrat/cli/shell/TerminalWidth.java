package dev.substrat.cli.shell;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;

/// How wide the terminal is. Java cannot know; `stty` does.
final class TerminalWidth {
  private static final int USUAL = 80;

  private TerminalWidth() {}

  static int ofTerminal() {
    String said = System.getenv("COLUMNS");
    return columns(said == null ? asked() : said);
  }

  /// Rows and columns, or columns only; what is neither is the usual.
  static int columns(String said) {
    String last = said.strip().replaceFirst("^.* ", "");
    return last.matches("[1-9]\\d{0,4}") ? Integer.parseInt(last) : USUAL;
  }

  private static String asked() {
    try {
      Process stty =
          new ProcessBuilder("stty", "-F", "/dev/tty", "size")
              .redirectError(Redirect.DISCARD)
              .start();
      try (var out = stty.getInputStream()) {
        return new String(out.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException _) {
      return "";
    }
  }
}
