package dev.substrat.console;

import java.util.List;

/// Everywhere the palette leads.
public record CommandPalette(List<Place> places) implements View {
  /// One of them; `kind` says what it is.
  public record Place(String path, String name, String kind) {}

  @Override
  public String template() {
    return "palette";
  }
}
