package dev.substrat.console;

import dev.substrat.console.RichText.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parser for block elements: headings, lists, quotes, tables, code blocks. It reads each line
/// once.
final class RichTextBlocks {
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

  private RichTextBlocks(List<RichText> pieces, String text) {
    this.pieces = pieces;
    this.lines = List.of(text.split("\n", -1));
  }

  static List<RichText> of(String text) {
    var pieces = new ArrayList<RichText>();
    Matcher fence = FENCE.matcher(text);
    int done = 0;
    while (fence.find()) {
      new RichTextBlocks(pieces, text.substring(done, fence.start())).read();
      pieces.add(new RichText(Kind.BLOCK, fence.group("block")));
      done = fence.end();
    }
    new RichTextBlocks(pieces, text.substring(done)).read();
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
    pieces.addAll(RichTextSpans.of(String.join("\n", plain)));
    plain.clear();
  }

  private void add(Kind kind, String text, String mark, List<RichText> inner) {
    flush();
    pieces.add(new RichText(kind, text, mark, inner));
  }

  private boolean heading() {
    Matcher found = HEADING.matcher(line());
    if (!found.matches()) {
      return false;
    }
    at++;
    add(Kind.HEADING, found.group(1), "", RichTextSpans.of(found.group(1)));
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
    add(Kind.QUOTE, text, "", RichTextSpans.of(text));
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
    add(isNumbered ? Kind.NUMBERS : Kind.BULLETS, "", kind.substring(1), List.copyOf(items));
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
        Kind.ITEM,
        words.toString(),
        number == null ? "" : number,
        RichTextSpans.of(words.toString()));
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
    add(Kind.BLOCK, String.join("\n", lines.subList(at, end)), "", List.of());
    at = end;
    return true;
  }

  private boolean isRow(int number) {
    String line = number < lines.size() ? lines.get(number).strip() : "";
    return line.length() > 1 && line.startsWith("|") && line.endsWith("|");
  }
}
