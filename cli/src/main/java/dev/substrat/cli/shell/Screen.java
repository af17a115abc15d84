package dev.substrat.cli.shell;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.wire.Json;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Where a command writes: results on `out`, everything else on `err`.
///
/// Always UTF-8, whatever the locale says: what we print is read by programs as often as by people,
/// and a C locale would turn every umlaut into a question mark.
public record Screen(
    PrintStream out, PrintStream err, boolean outIsTerminal, boolean errIsTerminal) {

  public static Screen system() {
    return new Screen(
        stream(FileDescriptor.out), stream(FileDescriptor.err), isTerminal(1), isTerminal(2));
  }

  /// A screen that keeps what is printed, for tests and for programs that embed commands.
  public static Screen of(PrintStream out, PrintStream err) {
    return new Screen(out, err, false, false);
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

  public void line(String text) {
    out.println(text);
  }

  public void note(String text) {
    err.println(text);
  }

  /// For programs: indented only when a person is looking.
  public void json(JsonNode node) {
    out.println(outIsTerminal ? Json.pretty(node) : Json.text(node));
  }

  /// True once nobody reads any more, for instance after `watch | head`.
  public boolean isClosed() {
    return out.checkError();
  }
}
