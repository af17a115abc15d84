package dev.substrat.mcp.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a client sends and what must come back, as a plain text file:
///
/// ```
/// # why it is there
/// = name text              from here on $name stands for text
/// > POST ada               the method, who sends it, and perhaps a path; /mcp if there is none
/// > Accept: text/event-stream
/// > {"jsonrpc": ...}
/// < 200
/// < Mcp-Session-Id: $session
/// < {"jsonrpc": "2.0", "*": "*"}
/// > GET ada as news        the answer stays open under a name
/// < 200
/// <news {...}              the next thing heard there; `<news end` if nothing comes any more
/// ```
///
/// What `*` and `$session` mean in an answer is told in [Likeness].
record Transcript(String name, List<Step> steps) {
  private static final Pattern START =
      Pattern.compile("> (GET|POST|PUT|DELETE) (\\w+)(?: (/\\S*))?(?: as (\\w+))?");
  private static final Pattern HEARD = Pattern.compile("<(\\w+) (.*)");

  /// One thing that happens, and where it stands.
  sealed interface Step {
    int line();
  }

  record Let(int line, String name, String text) implements Step {}

  /// `stream` is empty for an answer that must come to its end.
  record Said(
      int line,
      String method,
      String who,
      String path,
      String stream,
      List<String> sent,
      List<String> expected)
      implements Step {}

  record Heard(int line, String stream, String expected) implements Step {}

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
        steps.add(new Heard(i + 1, heard.group(1), heard.group(2)));
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

  private static Said said(int line, Matcher start) {
    return new Said(
        line,
        start.group(1),
        start.group(2),
        start.group(3) == null ? "/mcp" : start.group(3),
        start.group(4) == null ? "" : start.group(4),
        new ArrayList<>(),
        new ArrayList<>());
  }

  private static Said last(List<Step> steps) {
    if (steps.getLast() instanceof Said said) {
      return said;
    }
    throw new IllegalArgumentException("after line " + steps.getLast().line() + " nobody speaks");
  }

  @Override
  public String toString() {
    return name;
  }
}
