package dev.substrat.tool;

/// The turn has lost its lease to another one. Its writes are rejected, and it must end without
/// recording anything.
public final class StaleTurn extends RuntimeException {
  public StaleTurn(ToolCaller caller) {
    super("turn " + caller.turn() + " of " + caller.agent().handle() + " has lost its lease");
  }
}
