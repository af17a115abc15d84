package dev.substrat.cli.shell;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.wire.JsonTree;
import java.io.ByteArrayOutputStream;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/// Where a command writes, results on `out` and everything else on `err`, and where it is answered.
///
/// Always UTF-8, whatever the locale says: what we print is read by programs as often as by people,
/// and a C locale would turn every umlaut into a question mark.
public record Terminal(
    PrintStream out,
    PrintStream err,
    InputStream in,
    boolean outIsTerminal,
    boolean errIsTerminal,
    boolean inIsTerminal) {

  public static Terminal system() {
    return new Terminal(
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        System.in,
        isTerminal(1),
        isTerminal(2),
        isTerminal(0));
  }

  /// A screen that keeps what is printed, for tests and for programs that embed commands.
  public static Terminal of(PrintStream out, PrintStream err) {
    return of(out, err, InputStream.nullInputStream());
  }

  /// The same, with something to read.
  public static Terminal of(PrintStream out, PrintStream err, InputStream in) {
    return new Terminal(out, err, in, false, false, false);
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }

  /// The JDK only tells whether in *and* out are terminals together, which is wrong for a command
  /// in the middle of a pipe. Linux says it per descriptor.
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

  /// Prints a line. Whatever a command forgot to clean is cleaned here: of escape sequences only
  /// those of [TextStyle] pass.
  public void line(String text) {
    out.println(TextStyle.clean(text, hasColours()));
  }

  public void note(String text) {
    err.println(TextStyle.clean(text, hasColours()));
  }

  /// For programs: indented only when a person is looking.
  public void json(JsonNode node) {
    out.println(outIsTerminal ? JsonTree.pretty(node) : JsonTree.text(node));
  }

  /// How wide a line may be: as wide as the terminal; a program that reads has no edge.
  public int columns() {
    return outIsTerminal ? TerminalWidth.ofTerminal() : Integer.MAX_VALUE;
  }

  /// Whether somebody is there who sees a question and can answer it.
  public boolean canAsk() {
    return inIsTerminal && errIsTerminal;
  }

  /// Asks for a yes; anything else is a no, and so is the end of the input.
  public boolean agrees(String question) {
    return reply(question + " [y/N]").toLowerCase(Locale.ROOT).matches("y|yes");
  }

  /// Asks for a line; the end of the input is an empty one.
  public String reply(String question) {
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

  /// True once nobody reads any more, for instance after `watch | head`.
  public boolean isClosed() {
    return out.checkError();
  }
}
