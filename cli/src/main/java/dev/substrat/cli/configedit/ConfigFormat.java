package dev.substrat.cli.configedit;

/// Configuration formats that can be edited in place.
public enum ConfigFormat {
  /// With or without comments and trailing commas.
  JSON,
  TOML,
  YAML;

  ConfigTextEditor editor() {
    return switch (this) {
      case JSON -> new JsonEditor();
      case TOML -> new TomlEditor();
      case YAML -> new YamlEditor();
    };
  }
}
