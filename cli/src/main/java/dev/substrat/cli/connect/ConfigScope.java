package dev.substrat.cli.connect;

/// For whom a client's file counts: a user everywhere, or everybody in one directory.
enum ConfigScope {
  USER,
  PROJECT;

  String word() {
    return EnumNames.of(this);
  }
}
