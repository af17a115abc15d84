package dev.substrat.console;

/// Where somebody says who they are. `next` is where they wanted to go; `problem` is why they are
/// here again, or empty.
public record LoginPage(String assets, String next, String problem) implements View {
  @Override
  public String template() {
    return "login";
  }
}
