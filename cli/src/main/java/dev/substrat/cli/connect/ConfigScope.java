package dev.substrat.cli.connect;

/// Scope of a client's configuration file: all projects of a user, or one project directory.
enum ConfigScope {
  USER,
  PROJECT;

  String optionName() {
    return EnumNameConverter.of(this);
  }
}
