package dev.substrat.console;

/// Page for a failed request: the error and a hint.
public record ErrorPage(String assets, int status, String code, String message, String hint)
    implements View {

  public String title() {
    return switch (status) {
      case 403 -> "Access denied";
      case 404 -> "Not found";
      case 500 -> "Internal error";
      default -> "Request failed";
    };
  }

  @Override
  public String template() {
    return "error";
  }
}
