package dev.substrat.console;

import java.util.Locale;

/// Something could not be shown: what is wrong, and what to try instead.
public record ErrorPage(String assets, int status, String code, String message, String hint)
    implements View {

  public String title() {
    return switch (status) {
      case 403 -> "Not for you";
      case 404 -> "Nothing here";
      case 500 -> "Something broke";
      default -> "That did not work";
    };
  }

  /// Faults are told in parts of sentences, because programs put them together; people read whole
  /// ones.
  public static String sentence(String words) {
    return words.isEmpty()
        ? ""
        : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ".";
  }

  @Override
  public String template() {
    return "error";
  }
}
