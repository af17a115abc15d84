package dev.substrat.tool;

/// The turn has lost its lease: somebody else works for the agent now. Nothing it writes counts any
/// more, and it must end without a trace.
public final class StaleTurn extends RuntimeException {
  public StaleTurn(ToolCaller caller) {
    super("turn " + caller.turn() + " of " + caller.agent().handle() + " has lost its lease");
  }
}
