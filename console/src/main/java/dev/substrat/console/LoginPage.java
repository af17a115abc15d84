package dev.substrat.console;

/// Sign-in page. `next` is the page to open after sign-in; `problem` is the error of the last
/// attempt, or empty.
public record LoginPage(String assets, String next, String problem) implements View {
  @Override
  public String template() {
    return "login";
  }
}
