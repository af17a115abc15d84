package dev.substrat.console;

import dev.substrat.console.RichText.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parser for inline elements: bold, italics, code, links, mentions. All repetitions in the pattern
/// are bounded, so parsing takes linear time.
final class RichTextSpans {
  /// Only http and https: no scripts.
  private static final String ADDRESS = "https?://[^\\s<>\"'`\\\\";

  /// Characters in or after brackets of an address.
  private static final String NEAR = "[^\\s<>\"'`\\\\()]{0,200}";

  /// Code comes first: nothing inside it is parsed.
  private static final Pattern PIECES =
      Pattern.compile(
          "`(?<code>[^`\\n]{1,500})`"
              + "|\\*\\*(?<strong>[^*\\s](?:[^*\\n]{0,500}[^*\\s])?)\\*\\*"
              + "|(?<![\\w*])\\*(?<emphasis>[^*\\s](?:[^*\\n]{0,500}[^*\\s])?)\\*(?![\\w*])"
              + "|!?\\[(?<label>[^\\[\\]\\n]{1,300})\\]\\((?<address>"
              + (ADDRESS + "()]{2,2000}+(?:\\(" + NEAR + "\\)" + NEAR + ")?)\\)")
              + ("|(?<link>" + ADDRESS + "]{2,2000})")
              + "|(?<![\\w@/.])@(?<mention>[a-z0-9]{1,64}(?:-[a-z0-9]{1,64}){0,8})",
          Pattern.CASE_INSENSITIVE);

  private static final List<Kind> KINDS =
      List.of(Kind.CODE, Kind.STRONG, Kind.EMPHASIS, Kind.LINK, Kind.MENTION);

  /// Link texts that look like another address.
  private static final Pattern MISLEADING = Pattern.compile("://|^\\s*www\\.|@");

  private RichTextSpans() {}

  static List<RichText> of(String text) {
    var pieces = new ArrayList<RichText>();
    Matcher matcher = PIECES.matcher(text);
    int done = 0;
    while (matcher.find()) {
      RichText piece = special(matcher);
      plain(pieces, text.substring(done, matcher.start()));
      pieces.add(piece);
      done = end(matcher, piece);
    }
    plain(pieces, text.substring(done));
    return List.copyOf(pieces);
  }

  /// Punctuation after a bare link is not part of it.
  private static int end(Matcher matcher, RichText piece) {
    boolean isBare = matcher.group("link") != null;
    return isBare ? matcher.start() + piece.text().length() : matcher.end();
  }

  private static void plain(List<RichText> pieces, String text) {
    if (!text.isEmpty()) {
      pieces.add(new RichText(Kind.PLAIN, text));
    }
  }

  private static RichText special(Matcher matcher) {
    if (matcher.group("label") != null) {
      return named(matcher);
    }
    for (Kind kind : KINDS) {
      String found = matcher.group(kind.name().toLowerCase(Locale.ROOT));
      if (found != null) {
        return kind == Kind.LINK ? link(found) : new RichText(kind, found);
      }
    }
    throw new IllegalStateException("match without a known group");
  }

  private static RichText named(Matcher matcher) {
    String label = matcher.group("label").strip();
    return label.isEmpty() || MISLEADING.matcher(label).find()
        ? new RichText(Kind.PLAIN, matcher.group())
        : new RichText(
            Kind.LINK, label.replaceAll("[`*]", ""), matcher.group("address"), List.of());
  }

  /// Removes trailing punctuation and unmatched closing brackets.
  private static RichText link(String found) {
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
    return address.endsWith("//")
        ? new RichText(Kind.PLAIN, found)
        : new RichText(Kind.LINK, address, address, List.of());
  }

  private static long count(String text, char sign) {
    return text.chars().filter(c -> c == sign).count();
  }
}
