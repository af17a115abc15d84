package dev.substrat.provider.prompt;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses a turn's prompt by the documented rules only, ignoring case like a model does.
final class PromptReader {
  private static final Pattern OPENS = Pattern.compile("<data-([0-9a-f]{8})>");

  private static final Pattern LAST_LINE = Pattern.compile("\n</turn-([0-9a-f]{8})>\\z");

  private PromptReader() {}

  /// The header before a text, and the text.
  record Read(String header, String text) {}

  static List<Read> read(String prompt) {
    var read = new ArrayList<Read>();
    var text = new ArrayList<String>();
    String header = "";
    String word = "";
    boolean inside = false;
    for (String line : prompt.split("\n", -1)) {
      var opens = OPENS.matcher(line);
      if (inside && lower(line).startsWith("</data-" + word + ">")) {
        read.add(new Read(header, String.join("\n", text)));
        inside = false;
      } else if (inside) {
        text.add(line);
      } else if (opens.matches()) {
        word = opens.group(1);
        inside = true;
        text.clear();
      } else if (!line.isEmpty()) {
        header = line;
      }
    }
    return read;
  }

  /// The tag of the block at the end of the prompt.
  static String wordOfLastBlock(String prompt) {
    Matcher end = LAST_LINE.matcher(prompt);
    if (!end.find()) {
      throw new AssertionError("the prompt does not end with a block: " + prompt);
    }
    return end.group(1);
  }

  /// The text before that block, up to the only tag that can open it.
  static String withoutLastBlock(String prompt) {
    return prompt.substring(0, lower(prompt).indexOf("<turn-" + wordOfLastBlock(prompt) + ">"));
  }

  private static String lower(String line) {
    return line.toLowerCase(Locale.ROOT);
  }
}
