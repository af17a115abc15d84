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
              + "|(?<link>https?://[^\\s<>\"'`\\\\]{1,2000}[^\\s<>\"'`\\\\.,;:!?)\\]}])"
              + "|(?<![\\w@/.])@(?<mention>[a-z0-9]{1,64}(?:-[a-z0-9]{1,64}){0,8})",
          Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

  public static List<Prose> of(String text) {
    var pieces = new ArrayList<Prose>();
    Matcher matcher = PIECES.matcher(text);
    int done = 0;
    while (matcher.find()) {
      plain(pieces, text.substring(done, matcher.start()));
      pieces.add(special(matcher));
      done = matcher.end();
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
        return new Prose(kind, found);
      }
    }
    throw new IllegalStateException("a piece of no kind");
  }

  /// What a mention names, as it is compared with a handle.
  public boolean names(String handle) {
    return kind == Kind.MENTION && text.equalsIgnoreCase(handle);
  }
}
