package dev.substrat.tool;

/// Effect of a tool (read-only, destructive, idempotent), for clients that ask for approval or
/// retry.
public enum ToolEffect {
  /// Nothing: it only looks.
  LOOKS(true, false, true),
  /// Something, each time it is called; what was there before stays.
  DOES(false, false, false),
  /// It makes something so, and nothing is written over; a second call finds it so.
  SETS(false, false, true),
  /// It makes something or writes over something, each time it is called.
  CHANGES(false, true, false),
  /// It takes something away or writes over it, whether or not older versions are kept; a second
  /// call changes nothing more.
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
