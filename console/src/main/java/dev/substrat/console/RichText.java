package dev.substrat.console;

import java.util.List;

/// A piece of what somebody wrote, and what it is. People and agents write a little Markdown; this
/// knows what is common in talk and leaves everything else as it stands. Whatever a piece says, it
/// is drawn as text.
///
/// `mark` is what a piece has beside its words: the address of a link, the number of an item.
/// `inner` are the pieces of one that has some.
public record RichText(Kind kind, String text, String mark, List<RichText> inner) {
  /// How a piece is drawn.
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

    /// Whether it has lines of its own.
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

  /// The host that a link really leads to, if its words look like another address; else empty.
  public String realHost() {
    return kind == Kind.LINK ? LinkHostCheck.beside(text, mark) : "";
  }

  /// The same words without the signs around them, for where there is only one line.
  public static String bare(String text) {
    var words = new StringBuilder();
    of(text).forEach(one -> one.tell(words));
    return words.toString();
  }

  private void tell(StringBuilder words) {
    if (kind == Kind.MENTION) {
      words.append('@');
    }
    if (kind == Kind.ITEM) {
      words.append(mark.isEmpty() ? "• " : mark + ". ");
    }
    if (inner.isEmpty()) {
      words.append(text);
    }
    inner.forEach(one -> one.tell(words));
    if (kind.isOfLines() && !words.isEmpty() && words.charAt(words.length() - 1) != '\n') {
      words.append('\n');
    }
  }

  /// Whether it is a mention of somebody, or has one in it.
  public boolean names(String handle) {
    return (kind == Kind.MENTION && text.equalsIgnoreCase(handle))
        || inner.stream().anyMatch(one -> one.names(handle));
  }
}
