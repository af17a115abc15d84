package dev.substrat.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A piece of what somebody wrote, and what it is. People and agents write a little Markdown; this
/// knows what is common in talk and leaves everything else as it stands. Whatever a piece says, it
/// is drawn as text.
public record Prose(Kind kind, String text) {
  /// How a piece is drawn.
  public enum Kind {
    PLAIN,
    STRONG,
    CODE,
    BLOCK,
    MENTION,
    LINK
  }

  /// In this order: what stands in code is nothing else.
  private static final Pattern PIECES =
      Pattern.compile(
          "```[a-zA-Z0-9+-]{0,20}\\n(?<block>.*?)\\n?```"
              + "|`(?<code>[^`\\n]{1,500})`"
              + "|\\*\\*(?<strong>[^*\\s](?:[^*\\n]{0,500}[^*\\s])?)\\*\\*"
              + "|(?<link>https?://[^\\s<>\"'`\\\\]{2,2000})"
              + "|(?<![\\w@/.])@(?<mention>[a-z0-9]{1,64}(?:-[a-z0-9]{1,64}){0,8})",
          Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

  public static List<Prose> of(String text) {
    var pieces = new ArrayList<Prose>();
    Matcher matcher = PIECES.matcher(text);
    int done = 0;
    while (matcher.find()) {
      Prose piece = special(matcher);
      plain(pieces, text.substring(done, matcher.start()));
      pieces.add(piece);
      // What ends the sentence around a link is none of its own.
      done = piece.kind() == Kind.LINK ? matcher.start() + piece.text().length() : matcher.end();
    }
    plain(pieces, text.substring(done));
    return List.copyOf(pieces);
  }

  /// The same words without the signs around them, for where there is only one line.
  public static String bare(String text) {
    var words = new StringBuilder();
    of(text).forEach(one -> words.append(one.kind() == Kind.MENTION ? "@" : "").append(one.text()));
    return words.toString();
  }

  private static void plain(List<Prose> pieces, String text) {
    if (!text.isEmpty()) {
      pieces.add(new Prose(Kind.PLAIN, text));
    }
  }

  private static Prose special(Matcher matcher) {
    for (Kind kind : List.of(Kind.BLOCK, Kind.CODE, Kind.STRONG, Kind.LINK, Kind.MENTION)) {
      String found = matcher.group(kind.name().toLowerCase(Locale.ROOT));
      if (found != null) {
        return kind == Kind.LINK ? link(found) : new Prose(kind, found);
      }
    }
    throw new IllegalStateException("a piece of no kind");
  }

  /// Without what stands behind it: signs that end a sentence, and brackets that it did not open.
  private static Prose link(String found) {
    long foreign = count(found, ')') - count(found, '(');
    int end = found.length();
    for (; end > 0; end--) {
      char last = found.charAt(end - 1);
      boolean isForeign = last == ')' && foreign-- > 0;
      if (!isForeign && ".,;:!?]}".indexOf(last) < 0) {
        break;
      }
    }
    String address = found.substring(0, end);
    return address.endsWith("//") ? new Prose(Kind.PLAIN, found) : new Prose(Kind.LINK, address);
  }

  private static long count(String text, char sign) {
    return text.chars().filter(c -> c == sign).count();
  }

  /// What a mention names, as it is compared with a handle.
  public boolean names(String handle) {
    return kind == Kind.MENTION && text.equalsIgnoreCase(handle);
  }
}
