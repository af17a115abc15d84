package dev.substrat.console;

import java.util.List;

/// Results of the command palette.
public record CommandPalette(List<PaletteEntry> places) implements View {
  /// A page, an agent or a space.
  public record PaletteEntry(String path, String name, String kind) {}

  @Override
  public String template() {
    return "palette";
  }
}
