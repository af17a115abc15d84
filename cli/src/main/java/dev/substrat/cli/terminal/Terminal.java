package dev.substrat.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.JsonTree;
import java.io.ByteArrayOutputStream;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/// Input and output of a command: results go to `out`, everything else to `err`.
///
/// Always UTF-8, independent of the locale: a C locale would replace every non-ASCII character.
public record Terminal(
    PrintStream out,
    PrintStream err,
    InputStream in,
    boolean outIsTerminal,
    boolean errIsTerminal,
    boolean inIsTerminal) {
  private static final int USUAL = 80;

  public static Terminal system() {
    return new Terminal(
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        System.in,
        isTerminal(1),
        isTerminal(2),
        isTerminal(0));
  }

  /// Writes to the given streams, for tests and programs that embed commands.
  public static Terminal of(PrintStream out, PrintStream err) {
    return of(out, err, InputStream.nullInputStream());
  }

  /// The same with input.
  public static Terminal of(PrintStream out, PrintStream err, InputStream in) {
    return new Terminal(out, err, in, false, false, false);
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }

  /// The JDK reports only whether in *and* out are both terminals, which is wrong for a command in
  /// a pipe. Linux reports it per file descriptor.
  private static boolean isTerminal(int descriptor) {
    Path link = Path.of("/proc/self/fd/" + descriptor);
    try {
      String target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException _) {
      return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }
  }

  public boolean hasColours() {
    String wish = System.getenv("NO_COLOR");
    return outIsTerminal && (wish == null || wish.isEmpty());
  }

  /// Prints a line. Removes all escape sequences except those of [TextStyle].
  public void line(String text) {
    out.println(TextStyle.clean(text, hasColours()));
  }

  public void note(String text) {
    err.println(TextStyle.clean(text, hasColours()));
  }

  /// Prints JSON, indented only on a terminal.
  public void json(JsonNode node) {
    out.println(outIsTerminal ? JsonTree.pretty(node) : JsonTree.text(node));
  }

  /// Maximum width of a line: that of the terminal, or unlimited for a pipe.
  public int columns() {
    return outIsTerminal ? fromEnvironment() : Integer.MAX_VALUE;
  }

  /// True if a person can see a question and answer it.
  public boolean canAsk() {
    return inIsTerminal && errIsTerminal;
  }

  /// Asks a yes/no question. Anything but yes is no, also the end of the input.
  public boolean confirm(String question) {
    return prompt(question + " [y/N]").toLowerCase(Locale.ROOT).matches("y|yes");
  }

  /// Asks for a line; empty at the end of the input.
  public String prompt(String question) {
    err.print(TextStyle.clean(question, hasColours()) + " ");
    err.flush();
    var answer = new ByteArrayOutputStream();
    try {
      for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
        answer.write(c);
      }
    } catch (IOException _) {
      return "";
    }
    return answer.toString(StandardCharsets.UTF_8).strip();
  }

  /// True if the reader has closed the pipe, for instance after `watch | head`.
  public boolean isClosed() {
    return out.checkError();
  }

  /// Width of the terminal, from `COLUMNS` or `stty`.
  private static int fromEnvironment() {
    String said = System.getenv("COLUMNS");
    return columns(said == null ? fromStty() : said);
  }

  /// Parses rows and columns, or columns only; otherwise the default.
  static int columns(String said) {
    String last = said.strip().replaceFirst("^.* ", "");
    return last.matches("[1-9]\\d{0,4}") ? Integer.parseInt(last) : USUAL;
  }

  private static String fromStty() {
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
