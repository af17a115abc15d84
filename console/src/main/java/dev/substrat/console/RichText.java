package dev.substrat.console;

import java.util.List;

/// Element of a formatted message: a small subset of Markdown. Everything else stays as it was
/// written. The content of an element is always rendered as text.
///
/// `mark` is the address of a link or the number of an item; `inner` are nested elements.
public record RichText(Kind kind, String text, String mark, List<RichText> inner) {
  /// Kind of an element.
  public enum Kind {
    PLAIN,
    STRONG,
    EMPHASIS,
    CODE,
    BLOCK,
    MENTION,
    LINK,
    HEADING,
    QUOTE,
    BULLETS,
    NUMBERS,
    ITEM;

    /// Whether it is a block element.
    boolean isOfLines() {
      return switch (this) {
        case HEADING, QUOTE, BULLETS, NUMBERS, ITEM -> true;
        case PLAIN, STRONG, EMPHASIS, CODE, BLOCK, MENTION, LINK -> false;
      };
    }
  }

  RichText(Kind kind, String text) {
    this(kind, text, "", List.of());
  }

  public static List<RichText> of(String text) {
    return RichTextBlocks.of(text);
  }

  /// Real host of a link whose text looks like another address; otherwise empty.
  public String realHost() {
    return kind == Kind.LINK ? LinkHostCheck.misleadingHost(text, mark) : "";
  }

  /// Plain text without Markdown characters, for previews.
  public static String bare(String text) {
    var words = new StringBuilder();
    of(text).forEach(one -> one.append(words));
    return words.toString();
  }

  private void append(StringBuilder words) {
    if (kind == Kind.MENTION) {
      words.append('@');
    }
    if (kind == Kind.ITEM) {
      words.append(mark.isEmpty() ? "• " : mark + ". ");
    }
    if (inner.isEmpty()) {
      words.append(text);
    }
    inner.forEach(one -> one.append(words));
    if (kind.isOfLines() && !words.isEmpty() && words.charAt(words.length() - 1) != '\n') {
      words.append('\n');
    }
  }

  /// Whether it is or contains a mention of this handle.
  public boolean mentions(String handle) {
    return (kind == Kind.MENTION && text.equalsIgnoreCase(handle))
        || inner.stream().anyMatch(one -> one.mentions(handle));
  }
}
