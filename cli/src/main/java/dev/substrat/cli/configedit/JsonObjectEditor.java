package dev.substrat.cli.configedit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.configedit.JsonRange.MemberRange;
import java.util.List;

/// An object in a JSON text. Adds and removes members, with commas and line breaks.
final class JsonObjectEditor {
  private final String text;
  private final JsonRange object;
  private final TextLayout layout;

  JsonObjectEditor(String text, JsonRange object) {
    this.text = text;
    this.object = object;
    this.layout = new TextLayout(text);
  }

  /// Adds the member at the end, after all comments in the object.
  String with(String key, ObjectNode value) {
    int brace = object.end() - 1;
    boolean flat = !object.members().isEmpty() && !inside().contains("\n");
    int comma = -1;
    int content = object.start() + 1;
    var result = new StringBuilder(text);
    if (!object.members().isEmpty()) {
      content = object.members().getLast().value().end();
      comma = commaAfter(content);
    }
    int anchor = contentEnd(Math.max(content, comma + 1), brace);
    // From back to front, so that offsets stay valid.
    String end =
        flat || text.substring(anchor, brace).contains("\n")
            ? ""
            : layout.newline() + layout.indentation(object.start());
    result.insert(anchor, member(key, value, flat) + (comma < 0 ? "" : ",") + end);
    if (!object.members().isEmpty() && comma < 0) {
      result.insert(content, ',');
    }
    return result.toString();
  }

  private String inside() {
    return text.substring(object.start(), object.end());
  }

  private String member(String key, ObjectNode value, boolean flat) {
    if (flat) {
      boolean airy = inside().contains("\": ");
      String gap = airy ? " " : "";
      return gap
          + JsonLayoutFormatter.name(key)
          + ":"
          + gap
          + JsonLayoutFormatter.oneLine(value, airy);
    }
    String indentation = indentation();
    return layout.newline()
        + indentation
        + JsonLayoutFormatter.name(key)
        + ": "
        + JsonLayoutFormatter.pretty(value, indentation, layout);
  }

  private String indentation() {
    List<MemberRange> members = object.members();
    return !members.isEmpty() && layout.isFirstOnLine(members.getFirst().start())
        ? layout.indentation(members.getFirst().start())
        : layout.indentation(object.start()) + layout.indentationStep();
  }

  /// The offset after the last comment in the range, or its start if there is none.
  private int contentEnd(int from, int to) {
    int end = from;
    int at = from;
    while (at < to) {
      int next = afterComment(at);
      if (next > at) {
        end = next;
      }
      at = Math.max(next, at + 1);
    }
    return end;
  }

  /// The end of the comment at this offset; the offset itself if there is none.
  private int afterComment(int at) {
    if (text.startsWith("//", at)) {
      int end = text.indexOf('\n', at);
      return end < 0 ? text.length() : end > 0 && text.charAt(end - 1) == '\r' ? end - 1 : end;
    }
    return text.startsWith("/*", at) ? text.indexOf("*/", at + 2) + 2 : at;
  }

  private int commaAfter(int offset) {
    int at = offset;
    while (at < text.length()) {
      int next = afterComment(at);
      if (next == at && !Character.isWhitespace(text.charAt(at))) {
        return text.charAt(at) == ',' ? at : -1;
      }
      at = Math.max(next, at + 1);
    }
    return -1;
  }

  /// Also removes one comma, the following or else the preceding one, and the line if it is empty.
  String without(String key) {
    MemberRange member = object.find(key).orElseThrow();
    int comma = commaAfter(member.value().end());
    int end = comma < 0 ? member.value().end() : comma + 1;
    int index = object.members().indexOf(member);
    boolean alone = object.members().size() == 1;
    if (alone && isEmptyBeside(member.start(), end)) {
      return text.substring(0, object.start() + 1) + text.substring(object.end() - 1);
    }
    var result = new StringBuilder(text);
    boolean isLast = index == object.members().size() - 1;
    int start = cutStart(member.start(), end, isLast);
    result.delete(start, cutEnd(member.start(), end, isLast));
    if (comma < 0 && index > 0) {
      result.deleteCharAt(commaAfter(object.members().get(index - 1).value().end()));
    }
    return result.toString();
  }

  private boolean isEmptyBeside(int start, int end) {
    return text.substring(object.start() + 1, start).isBlank()
        && text.substring(end, object.end() - 1).isBlank();
  }

  /// If the line has only this member, the preceding line break is removed; otherwise the blanks
  /// before or after the member.
  private int cutStart(int start, int end, boolean isLast) {
    if (isAloneOnLine(start, end)) {
      int line = layout.lineStart(start) - 1;
      return line > 0 && text.charAt(line - 1) == '\r' ? line - 1 : Math.max(line, 0);
    }
    int at = start;
    while (isLast && at > 0 && TextLayout.isBlank(text.charAt(at - 1))) {
      at--;
    }
    return at;
  }

  private int cutEnd(int start, int end, boolean isLast) {
    int at = end;
    boolean goesOn = !isLast || isAloneOnLine(start, end);
    while (goesOn && at < text.length() && TextLayout.isBlank(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private boolean isAloneOnLine(int start, int end) {
    return layout.isFirstOnLine(start) && layout.isLastOnLine(end);
  }
}
