package dev.substrat.cli.terminal;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;

/// Width of the terminal, from `stty`.
final class TerminalWidth {
  private static final int USUAL = 80;

  private TerminalWidth() {}

  static int ofTerminal() {
    String said = System.getenv("COLUMNS");
    return columns(said == null ? asked() : said);
  }

  /// Parses rows and columns, or columns only; otherwise the default.
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
