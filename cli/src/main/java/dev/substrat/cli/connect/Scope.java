package dev.substrat.cli.connect;

/// For whom a client's file counts: a user everywhere, or everybody in one directory.
enum Scope {
  USER,
  PROJECT;

  String word() {
    return Words.of(this);
  }
}
