package dev.substrat.console;

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

  @Override
  public String template() {
    return "error";
  }
}
