package dev.substrat.space.tool;

import dev.substrat.protocol.ErrorCode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// One emoji, as Unicode or as a well-known shortcode such as `:thumbsup:`.
///
/// Sequences are recognised by the properties of their characters (UTS 51), so an emoji that is
/// newer than the daemon's Java is rejected.
public final class Emoji {
  private static final String ELEMENT =
      "[\\p{IsEmoji}&&[^0-9#*\\x{1F1E6}-\\x{1F1FF}]](?:\\p{IsEmoji_Modifier}|\\uFE0F)?";

  /// A flag of two letters, a flag of a region, a keycap, or emoji joined to one.
  private static final Pattern ONE =
      Pattern.compile(
          "[\\x{1F1E6}-\\x{1F1FF}]{2}"
              + "|\\x{1F3F4}[\\x{E0020}-\\x{E007E}]{1,8}\\x{E007F}"
              + "|[0-9#*]\\uFE0F?\\u20E3"
              + "|%1$s(?:\\u200D%1$s){0,9}".formatted(ELEMENT));

  private static final Map<String, String> SHORTCODES =
      Map.ofEntries(
          Map.entry("+1", "👍"),
          Map.entry("thumbsup", "👍"),
          Map.entry("-1", "👎"),
          Map.entry("thumbsdown", "👎"),
          Map.entry("heart", "❤️"),
          Map.entry("smile", "😄"),
          Map.entry("grinning", "😀"),
          Map.entry("joy", "😂"),
          Map.entry("laughing", "😆"),
          Map.entry("wink", "😉"),
          Map.entry("thinking", "🤔"),
          Map.entry("thinking_face", "🤔"),
          Map.entry("cry", "😢"),
          Map.entry("sob", "😭"),
          Map.entry("confused", "😕"),
          Map.entry("open_mouth", "😮"),
          Map.entry("sunglasses", "😎"),
          Map.entry("clap", "👏"),
          Map.entry("wave", "👋"),
          Map.entry("pray", "🙏"),
          Map.entry("ok_hand", "👌"),
          Map.entry("raised_hands", "🙌"),
          Map.entry("muscle", "💪"),
          Map.entry("point_up", "☝️"),
          Map.entry("tada", "🎉"),
          Map.entry("party", "🎉"),
          Map.entry("rocket", "🚀"),
          Map.entry("fire", "🔥"),
          Map.entry("eyes", "👀"),
          Map.entry("100", "💯"),
          Map.entry("star", "⭐"),
          Map.entry("sparkles", "✨"),
          Map.entry("zap", "⚡"),
          Map.entry("bulb", "💡"),
          Map.entry("bug", "🐛"),
          Map.entry("memo", "📝"),
          Map.entry("pushpin", "📌"),
          Map.entry("lock", "🔒"),
          Map.entry("hourglass", "⌛"),
          Map.entry("warning", "⚠️"),
          Map.entry("question", "❓"),
          Map.entry("exclamation", "❗"),
          Map.entry("x", "❌"),
          Map.entry("white_check_mark", "✅"),
          Map.entry("heavy_check_mark", "✔️"),
          Map.entry("check", "✅"),
          Map.entry("no_entry", "⛔"),
          Map.entry("stop_sign", "🛑"));

  private Emoji() {}

  /// The emoji that `text` is or names.
  public static Optional<String> find(String text) {
    if (text.length() > 2 && text.startsWith(":") && text.endsWith(":")) {
      return Optional.ofNullable(SHORTCODES.get(text.substring(1, text.length() - 1)));
    }
    return ONE.matcher(text).matches() ? Optional.of(text) : Optional.empty();
  }

  public static String require(String text) {
    return find(text)
        .orElseThrow(() ->
            ErrorCode.INVALID_ARGUMENTS.fault(
                "/emoji must be one emoji, not \"%s\"".formatted(shortened(text)),
                "send the emoji itself, for example 👍, or a shortcode such as :thumbsup:"));
  }

  private static String shortened(String text) {
    return text.codePointCount(0, text.length()) <= 20
        ? text
        : text.substring(0, text.offsetByCodePoints(0, 20)) + "…";
  }
}
