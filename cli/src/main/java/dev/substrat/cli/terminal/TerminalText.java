package dev.substrat.cli.terminal;

import dev.substrat.protocol.HiddenCharacters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Escapes text from agents for a terminal.
///
/// Agents repeat untrusted text. Control characters can hide lines, set the title of a terminal, or
/// type into the shell; other characters are invisible or change the writing direction. Each is
/// replaced by its code point, see [HiddenCharacters].
public final class TerminalText {
  /// Minimum width; on a narrower terminal lines wrap.
  private static final int NARROWEST = 20;

  private TerminalText() {}

  /// For one line: line ends become `↵`, tabs a blank.
  public static String line(String text) {
    return block(text).replace('\n', '↵').replace('\t', ' ');
  }

  /// For a block of text: keeps line ends and tabs.
  public static String block(String text) {
    return HiddenCharacters.escape(text.replace("\r\n", "\n"));
  }

  /// One line of at most `width` columns, ending in `…` if it was cut.
  public static String cut(@Nullable String text, int width) {
    String line = text == null ? "" : line(text);
    int columns = 0;
    int end = 0;
    for (int i = 0; i < line.length(); ) {
      int c = line.codePointAt(i);
      i += Character.charCount(c);
      columns += width(c);
      if (columns > width) {
        return line.substring(0, end) + "…";
      }
      if (columns < width) {
        end = i;
      }
    }
    return line;
  }

  /// Wraps a clean line at `width` columns, at blanks where possible.
  public static List<String> wrapped(String line, int width) {
    var pieces = new ArrayList<String>();
    String rest = line;
    while (width(rest) > Math.max(width, NARROWEST)) {
      int end = fitting(rest, Math.max(width, NARROWEST));
      int blank = rest.lastIndexOf(' ', end);
      int cut = blank > 0 ? blank : end;
      pieces.add(rest.substring(0, cut).stripTrailing());
      rest = rest.substring(cut).stripLeading();
    }
    pieces.add(rest);
    return pieces;
  }

  /// Number of leading characters that fit into so many columns.
  private static int fitting(String line, int width) {
    int columns = 0;
    for (int i = 0; i < line.length(); ) {
      int c = line.codePointAt(i);
      columns += width(c);
      if (columns > width) {
        return i;
      }
      i += Character.charCount(c);
    }
    return line.length();
  }

  /// Columns of a clean line on a terminal.
  public static int width(String line) {
    return line.codePoints().map(TerminalText::width).sum();
  }

  private static int width(int c) {
    if (c < 0x300) {
      return 1;
    }
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || c == 0x200d) {
      return 0;
    }
    boolean wide =
        (c >= 0x1100 && c <= 0x115f)
            || (c >= 0x2e80 && c <= 0xa4cf)
            || (c >= 0xac00 && c <= 0xd7a3)
            || (c >= 0xf900 && c <= 0xfaff)
            || (c >= 0xfe30 && c <= 0xfe6f)
            || (c >= 0xff00 && c <= 0xff60)
            || (c >= 0x1f300 && c <= 0x1faff)
            || (c >= 0x20000 && c <= 0x3fffd);
    return wide ? 2 : 1;
  }
}
