package dev.substrat.tool;

/// Effect of a tool (read-only, destructive, idempotent), for clients that ask for approval or
/// retry.
public enum ToolEffect {
  /// Read-only.
  LOOKS(true, false, true),
  /// Adds something with each call; existing data stays.
  DOES(false, false, false),
  /// Sets a state without overwriting; idempotent.
  SETS(false, false, true),
  /// Creates or overwrites something with each call.
  CHANGES(false, true, false),
  /// Deletes or overwrites, even if older versions are kept; idempotent.
  ENDS(false, true, true);

  private final boolean readOnly;
  private final boolean destructive;
  private final boolean idempotent;

  ToolEffect(boolean readOnly, boolean destructive, boolean idempotent) {
    this.readOnly = readOnly;
    this.destructive = destructive;
    this.idempotent = idempotent;
  }

  public boolean isReadOnly() {
    return readOnly;
  }

  public boolean isDestructive() {
    return destructive;
  }

  public boolean isIdempotent() {
    return idempotent;
  }
}
