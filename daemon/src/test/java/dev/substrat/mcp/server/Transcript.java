package dev.substrat.mcp.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Requests of a client and the expected responses, read from a plain text file:
///
/// ```
/// # comment
/// = name text              defines $name for the following lines
/// > POST ada               method, sender, and path (default: /mcp)
/// > Accept: text/event-stream
/// > {"jsonrpc": ...}
/// < 200
/// < Mcp-Session-Id: $session
/// < {"jsonrpc": "2.0", "*": "*"}
/// > GET ada as news        the response stays open as a named stream
/// < 200
/// <news {...}              the next event of the stream; `<news end` for its end
/// ```
///
/// [TranscriptMatcher] explains `*` and `$session` in an expected response.
record Transcript(String name, List<Step> steps) {
  private static final Pattern START =
      Pattern.compile("> (GET|POST|PUT|DELETE) (\\w+)(?: (/\\S*))?(?: as (\\w+))?");
  private static final Pattern HEARD = Pattern.compile("<(\\w+) (.*)");

  /// One step of a transcript, with its line number.
  sealed interface Step {
    int line();
  }

  record Let(int line, String name, String text) implements Step {}

  /// `stream` is empty for a response that must end.
  record SentRequest(
      int line,
      String method,
      String who,
      String path,
      String stream,
      List<String> sent,
      List<String> expected)
      implements Step {}

  record ExpectedEvent(int line, String stream, String expected) implements Step {}

  static Transcript read(Path file) {
    try {
      return new Transcript(file.getFileName().toString(), steps(Files.readAllLines(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Step> steps(List<String> lines) {
    var steps = new ArrayList<Step>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      Matcher start = START.matcher(line);
      Matcher heard = HEARD.matcher(line);
      if (start.matches()) {
        steps.add(said(i + 1, start));
      } else if (heard.matches()) {
        steps.add(new ExpectedEvent(i + 1, heard.group(1), heard.group(2)));
      } else if (line.startsWith("= ")) {
        String[] words = line.split(" ", 3);
        steps.add(new Let(i + 1, words[1], words[2]));
      } else if (line.startsWith("> ")) {
        last(steps).sent().add(line.substring(2));
      } else if (line.startsWith("< ")) {
        last(steps).expected().add(line.substring(2));
      } else if (!line.isBlank() && !line.startsWith("#")) {
        throw new IllegalArgumentException("line " + (i + 1) + " means nothing: " + line);
      }
    }
    return steps;
  }

  private static SentRequest said(int line, Matcher start) {
    return new SentRequest(
        line,
        start.group(1),
        start.group(2),
        start.group(3) == null ? "/mcp" : start.group(3),
        start.group(4) == null ? "" : start.group(4),
        new ArrayList<>(),
        new ArrayList<>());
  }

  private static SentRequest last(List<Step> steps) {
    if (steps.getLast() instanceof SentRequest said) {
      return said;
    }
    throw new IllegalArgumentException("after line " + steps.getLast().line() + " nobody speaks");
  }

  @Override
  public String toString() {
    return name;
  }
}
