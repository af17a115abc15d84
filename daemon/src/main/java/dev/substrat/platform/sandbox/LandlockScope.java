package dev.substrat.platform.sandbox;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/// Landlock scope (Linux 6.12 and later): blocks access of a thread, and of processes that it
/// starts later, to abstract Unix sockets outside.
///
/// Abstract sockets have no file that could be hidden. They belong to a network, so a program with
/// the network of the machine could talk to desktops, containers and debuggers through them.
final class LandlockScope {
  /// The same on every architecture that is younger than Linux 5.
  private static final long CREATE_RULESET = 444;

  private static final long RESTRICT_SELF = 446;
  private static final long ASK_VERSION = 1;
  private static final long FIRST_VERSION = 6;
  private static final long SCOPE_ABSTRACT_UNIX_SOCKET = 1;
  private static final int SET_NO_NEW_PRIVILEGES = 38;

  /// `handled_access_fs`, `handled_access_net`, `scoped`.
  private static final MemoryLayout RULESET = MemoryLayout.sequenceLayout(3, JAVA_LONG);

  private LandlockScope() {}

  static boolean isSupported() {
    try {
      return System.getProperty("os.name").equals("Linux")
          && ruleset(MemorySegment.NULL, 0, ASK_VERSION) >= FIRST_VERSION;
    } catch (IllegalCallerException e) {
      // Native access is disabled in this JVM.
      return false;
    }
  }

  /// Restricts the current thread for the rest of its life.
  static void enter() throws IOException {
    try (var arena = Arena.ofConfined()) {
      MemorySegment rules = arena.allocate(RULESET);
      rules.setAtIndex(JAVA_LONG, 2, SCOPE_ABSTRACT_UNIX_SOCKET);
      long file = ruleset(rules, RULESET.byteSize(), 0);
      if (file < 0 || !setNoNewPrivileges() || systemCall(RESTRICT_SELF, file, 0) != 0) {
        throw new IOException("Landlock does not restrict the thread that starts the program");
      }
      close((int) file);
    }
  }

  private static long ruleset(MemorySegment rules, long size, long flags) {
    return systemCall(CREATE_RULESET, rules.address(), size, flags);
  }

  private static long systemCall(long number, long... arguments) {
    var shape = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    MethodHandle call = function("syscall", shape, Linker.Option.firstVariadicArg(1));
    long[] all = Arrays.copyOf(arguments, 3);
    try {
      return (long) call.invokeExact(number, all[0], all[1], all[2]);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean setNoNewPrivileges() {
    var shape =
        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    MethodHandle prctl = function("prctl", shape, Linker.Option.firstVariadicArg(1));
    try {
      return (int) prctl.invokeExact(SET_NO_NEW_PRIVILEGES, 1L, 0L, 0L, 0L) == 0;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void close(int file) {
    MethodHandle close = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    try {
      int _ = (int) close.invokeExact(file);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /// A function of the C library.
  @SuppressWarnings("restricted")
  private static MethodHandle function(
      String name, FunctionDescriptor shape, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape, options);
  }
}
