package dev.substrat.console;

import dev.substrat.console.RichText.RichTextKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parser for block elements (headings, lists, quotes, tables, code blocks), which reads each line
/// once, and for the inline elements in them.
final class RichTextBlockParser {
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

  private static final List<RichTextKind> KINDS =
      List.of(
          RichTextKind.CODE,
          RichTextKind.STRONG,
          RichTextKind.EMPHASIS,
          RichTextKind.LINK,
          RichTextKind.MENTION);

  /// Link texts that look like another address.
  private static final Pattern MISLEADING = Pattern.compile("://|^\\s*www\\.|@");

  private static final Pattern FENCE =
      Pattern.compile("```[a-zA-Z0-9+-]{0,20}\\n(?<block>.*?)\\n?```\\n?", Pattern.DOTALL);
  private static final Pattern HEADING = Pattern.compile(" {0,3}#{1,6}[ \\t]+(\\S.*)");
  private static final Pattern QUOTE = Pattern.compile(" {0,3}>(?: (.*))?");
  private static final Pattern ITEM =
      Pattern.compile(
          "(?<indent>[ \\t]{0,12})(?:[-*•]|(?<number>\\d{1,9})[.)])[ \\t]+(?<words>\\S.*)");
  private static final Pattern RULE = Pattern.compile("[\\s:|-]+");

  /// Maximum nesting of lists; deeper items are shown at this level.
  private static final int DEEPEST = 3;

  private static final int TAB = 4;

  private final List<RichText> pieces;
  private final List<String> lines;
  private final List<String> plain = new ArrayList<>();
  private int at;

  private RichTextBlockParser(List<RichText> pieces, String text) {
    this.pieces = pieces;
    this.lines = List.of(text.split("\n", -1));
  }

  static List<RichText> of(String text) {
    var pieces = new ArrayList<RichText>();
    Matcher fence = FENCE.matcher(text);
    int done = 0;
    while (fence.find()) {
      new RichTextBlockParser(pieces, text.substring(done, fence.start())).read();
      pieces.add(new RichText(RichTextKind.BLOCK, fence.group("block")));
      done = fence.end();
    }
    new RichTextBlockParser(pieces, text.substring(done)).read();
    return List.copyOf(pieces);
  }

  private void read() {
    while (at < lines.size()) {
      int before = at;
      if (heading() || quote() || list() || table()) {
        // Block elements have their own margin, so the empty line after one is skipped.
        at += at < lines.size() && line().isEmpty() ? 1 : 0;
      }
      if (at == before) {
        plain.add(lines.get(at++));
      }
    }
    flush();
  }

  private String line() {
    return lines.get(at).stripTrailing();
  }

  private void flush() {
    pieces.addAll(spans(String.join("\n", plain)));
    plain.clear();
  }

  private void add(RichTextKind kind, String text, String mark, List<RichText> inner) {
    flush();
    pieces.add(new RichText(kind, text, mark, inner));
  }

  private boolean heading() {
    Matcher found = HEADING.matcher(line());
    if (!found.matches()) {
      return false;
    }
    at++;
    add(RichTextKind.HEADING, found.group(1), "", spans(found.group(1)));
    return true;
  }

  private boolean quote() {
    var said = new ArrayList<String>();
    for (Matcher found; at < lines.size(); at++) {
      found = QUOTE.matcher(line());
      if (!found.matches()) {
        break;
      }
      said.add(found.group(1) == null ? "" : found.group(1));
    }
    if (said.isEmpty()) {
      return false;
    }
    String text = String.join("\n", said);
    add(RichTextKind.QUOTE, text, "", spans(text));
    return true;
  }

  /// Consecutive items of one kind and depth.
  private boolean list() {
    var items = new ArrayList<RichText>();
    String kind = "";
    while (at < lines.size()) {
      Matcher found = ITEM.matcher(line());
      if (!found.matches() || !(items.isEmpty() || kind.equals(kind(found)))) {
        break;
      }
      kind = kind(found);
      items.add(item(found));
    }
    if (items.isEmpty()) {
      return false;
    }
    boolean isNumbered = !items.getFirst().mark().isEmpty();
    add(
        isNumbered ? RichTextKind.NUMBERS : RichTextKind.BULLETS,
        "",
        kind.substring(1),
        List.copyOf(items));
    return true;
  }

  private static String kind(Matcher item) {
    int indent = item.group("indent").replace("\t", " ".repeat(TAB)).length();
    return (item.group("number") == null ? "-" : "1") + Math.min(DEEPEST, indent / 2);
  }

  /// An item with its continuation lines.
  private RichText item(Matcher found) {
    var words = new StringBuilder(found.group("words"));
    for (at++; at < lines.size() && continuesItem(line()); at++) {
      words.append('\n').append(line().strip());
    }
    String number = found.group("number");
    return new RichText(
        RichTextKind.ITEM, words.toString(), number == null ? "" : number, spans(words.toString()));
  }

  private static boolean continuesItem(String line) {
    return line.startsWith("  ") && !ITEM.matcher(line).matches();
  }

  /// A table stays as typed, in a fixed-width font.
  private boolean table() {
    if (!isRow(at) || !isRow(at + 1) || !RULE.matcher(lines.get(at + 1)).matches()) {
      return false;
    }
    int end = at;
    while (isRow(end)) {
      end++;
    }
    add(RichTextKind.BLOCK, String.join("\n", lines.subList(at, end)), "", List.of());
    at = end;
    return true;
  }

  private boolean isRow(int number) {
    String line = number < lines.size() ? lines.get(number).strip() : "";
    return line.length() > 1 && line.startsWith("|") && line.endsWith("|");
  }

  /// Parses inline elements: bold, italics, code, links, mentions. All repetitions in the pattern
  /// are bounded, so parsing takes linear time.
  private static List<RichText> spans(String text) {
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
      pieces.add(new RichText(RichTextKind.PLAIN, text));
    }
  }

  private static RichText special(Matcher matcher) {
    if (matcher.group("label") != null) {
      return named(matcher);
    }
    for (RichTextKind kind : KINDS) {
      String found = matcher.group(kind.name().toLowerCase(Locale.ROOT));
      if (found != null) {
        return kind == RichTextKind.LINK ? link(found) : new RichText(kind, found);
      }
    }
    throw new IllegalStateException("match without a known group");
  }

  private static RichText named(Matcher matcher) {
    String label = matcher.group("label").strip();
    return label.isEmpty() || MISLEADING.matcher(label).find()
        ? new RichText(RichTextKind.PLAIN, matcher.group())
        : new RichText(
            RichTextKind.LINK, label.replaceAll("[`*]", ""), matcher.group("address"), List.of());
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
        ? new RichText(RichTextKind.PLAIN, found)
        : new RichText(RichTextKind.LINK, address, address, List.of());
  }

  private static long count(String text, char sign) {
    return text.chars().filter(c -> c == sign).count();
  }
}
