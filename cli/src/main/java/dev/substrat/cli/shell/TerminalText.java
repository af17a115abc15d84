package dev.substrat.cli.shell;

import dev.substrat.protocol.HiddenCharacters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Text from agents, made harmless for a terminal.
///
/// Agents read the internet and repeat what they read. A terminal obeys control characters: it can
/// be made to hide lines, set its title, or type into the shell. Other characters cannot be seen or
/// turn the direction of writing. None of them passes; each is written as its number, see
/// [HiddenCharacters].
public final class TerminalText {
  /// Narrower than this nothing can be read; the terminal may break it as it likes.
  private static final int NARROWEST = 20;

  private TerminalText() {}

  /// For one line: ends of lines become `↵`, tabs a blank.
  public static String line(String text) {
    return block(text).replace('\n', '↵').replace('\t', ' ');
  }

  /// For a block of text: ends of lines and tabs stay.
  public static String block(String text) {
    return HiddenCharacters.escape(text.replace("\r\n", "\n"));
  }

  /// At most `width` columns of one line, ending in `…` if something was left out.
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

  /// A clean line in pieces of at most `width` columns, broken at blanks where there are some.
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

  /// How much of the line, from its start, fits into so many columns.
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

  /// Columns that a clean line takes on a terminal.
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
