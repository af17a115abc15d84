package dev.substrat.console;

import java.util.List;

/// Results of the command palette.
public record CommandPalette(List<Place> places) implements View {
  /// A page, an agent or a space.
  public record Place(String path, String name, String kind) {}

  @Override
  public String template() {
    return "palette";
  }
}
