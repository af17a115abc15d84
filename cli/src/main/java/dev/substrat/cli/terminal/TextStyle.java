package dev.substrat.cli.terminal;

import dev.substrat.protocol.HiddenCharacters;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Colours of the output, each for one meaning.
public enum TextStyle {
  STRONG("1"),
  FAINT("2"),
  GOOD("32"),
  DOUBTFUL("33"),
  BAD("31"),
  NAME("36");

  /// Matches exactly what [#paint] writes.
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[(?:0|1|2|31|32|33|36)m");

  private final String code;

  TextStyle(String code) {
    this.code = code;
  }

  /// Escapes control characters in a line. With colours, those of [#paint] are kept.
  static String clean(String line, boolean colours) {
    if (!colours || !HiddenCharacters.contains(line)) {
      return HiddenCharacters.escape(line);
    }
    var clean = new StringBuilder();
    Matcher colour = COLOUR.matcher(line);
    int done = 0;
    while (colour.find()) {
      clean.append(HiddenCharacters.escape(line.substring(done, colour.start())));
      clean.append(colour.group());
      done = colour.end();
    }
    return clean.append(HiddenCharacters.escape(line.substring(done))).toString();
  }

  /// The text must be clean: it is printed unchanged.
  public String paint(String text, boolean colours) {
    return colours && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
