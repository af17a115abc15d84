package dev.substrat.console;

import java.net.IDN;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Element of a formatted message: a small subset of Markdown. Everything else stays as it was
/// written. The content of an element is always rendered as text.
///
/// `mark` is the address of a link or the number of an item; `inner` are nested elements.
public record RichText(RichTextKind kind, String text, String mark, List<RichText> inner) {
  /// Kind of an element.
  public enum RichTextKind {
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

  RichText(RichTextKind kind, String text) {
    this(kind, text, "", List.of());
  }

  public static List<RichText> of(String text) {
    return RichTextBlockParser.of(text);
  }

  /// Real host of a link whose text looks like another address; otherwise empty.
  public String realHost() {
    return kind == RichTextKind.LINK ? LinkHostCheck.misleadingHost(text, mark) : "";
  }

  /// Plain text without Markdown characters, for previews.
  public static String bare(String text) {
    var words = new StringBuilder();
    of(text).forEach(one -> one.append(words));
    return words.toString();
  }

  private void append(StringBuilder words) {
    if (kind == RichTextKind.MENTION) {
      words.append('@');
    }
    if (kind == RichTextKind.ITEM) {
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
    return (kind == RichTextKind.MENTION && text.equalsIgnoreCase(handle))
        || inner.stream().anyMatch(one -> one.mentions(handle));
  }

  /// Detects links whose text or address imitates another host.
  ///
  /// A text misleads if it contains another host. An address misleads if it has a user before the
  /// host, or characters beyond ASCII in the host.
  private static final class LinkHostCheck {
    private static final Pattern AUTHORITY = Pattern.compile("(?i)^https?://([^/?#]*)");

    /// A host name (labels with dots, the last of which may be a top-level domain), an IPv4
    /// address, or `localhost`.
    private static final Pattern HOST =
        Pattern.compile(
            "(?<![\\p{L}\\p{N}.-])(?:(?:[\\p{L}\\p{N}-]{1,63}\\.){1,10}\\p{L}[\\p{L}\\p{N}-]{1,62}"
                + "|[0-9]{1,3}(?:\\.[0-9]{1,3}){3}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])"
                + "|localhost(?![\\p{L}\\p{N}-]))");

    /// Decimal, octal or hexadecimal, as browsers read the parts of an IPv4 address.
    private static final Pattern NUMBER = Pattern.compile("0x[0-9a-f]{0,8}|[0-9]{1,11}");

    private LinkHostCheck() {}

    /// Host of the address, if it must be shown beside this text; otherwise empty.
    static String misleadingHost(String words, String address) {
      Matcher authority = AUTHORITY.matcher(address);
      if (!authority.find()) {
        return "";
      }
      String whole = authority.group(1);
      String host = host(whole);
      boolean isObscure =
          whole.contains("@")
              || !host.equals(whole.replaceFirst(":\\d*$", "").toLowerCase(Locale.ROOT));
      return isObscure || (!words.equals(address) && names(words, host)) ? host : "";
    }

    /// Whether the text names another host.
    private static boolean names(String words, String host) {
      Matcher named = HOST.matcher(words.toLowerCase(Locale.ROOT));
      while (named.find()) {
        if (!withoutWww(named.group()).equals(withoutWww(host))) {
          return true;
        }
      }
      return false;
    }

    private static String withoutWww(String host) {
      return host.startsWith("www.") ? host.substring(4) : host;
    }

    /// Punycode form, as browsers request it.
    private static String host(String authority) {
      String host =
          authority
              .substring(authority.lastIndexOf('@') + 1)
              .replaceFirst(":\\d*$", "")
              .toLowerCase(Locale.ROOT);
      try {
        if (host.contains("%")) {
          host = URLDecoder.decode(host.replace("+", "%2B"), StandardCharsets.UTF_8);
        }
        String address = address(host.split("\\.", -1));
        return !address.isEmpty()
            ? address
            : IDN.toASCII(host, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
      } catch (IllegalArgumentException _) {
        return host;
      }
    }

    /// IPv4 address that browsers read from numbers such as `0x7f.1` or `2130706433`; empty if it
    /// is none. The last number covers all remaining bytes.
    private static String address(String[] numbers) {
      if (numbers.length > 4) {
        return "";
      }
      long address = 0;
      for (int i = 0; i < numbers.length; i++) {
        if (!NUMBER.matcher(numbers[i]).matches()) {
          return "";
        }
        long number = number(numbers[i]);
        boolean isLast = i == numbers.length - 1;
        long limit = isLast ? 1L << (8 * (5 - numbers.length)) : 256;
        if (number >= limit) {
          return "";
        }
        address += isLast ? number : number << (8 * (3 - i));
      }
      return "%d.%d.%d.%d"
          .formatted(address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
    }

    private static long number(String digits) {
      if (digits.startsWith("0x")) {
        return digits.length() == 2 ? 0 : Long.parseLong(digits.substring(2), 16);
      }
      return digits.startsWith("0") ? Long.parseLong(digits, 8) : Long.parseLong(digits);
    }
  }
}
