package dev.substrat.server;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Kills the own process like `kill -9`. No hook runs, no buffer is flushed, no other thread
/// continues.
final class Sigkill {
  private static final int SIGKILL = 9;

  @SuppressWarnings("restricted") // there is no other way to send oneself a signal at once
  private static final MethodHandle KILL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private Sigkill() {}

  static void now() {
    try {
      int refused = (int) KILL.invokeExact((int) ProcessHandle.current().pid(), SIGKILL);
      throw new IllegalStateException("still alive: " + refused);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
