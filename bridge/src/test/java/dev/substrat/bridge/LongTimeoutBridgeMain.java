package dev.substrat.bridge;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.time.Duration;

/// The command `substrat mcp` with timeouts for slow machines.
final class LongTimeoutBridgeMain {
  private static final BridgeTimeouts LONG =
      new BridgeTimeouts(Duration.ofMinutes(2), Duration.ofSeconds(5), Duration.ofSeconds(1));

  private LongTimeoutBridgeMain() {}

  public static void main(String[] args) throws InterruptedException {
    var out = new FileOutputStream(FileDescriptor.out);
    Runtime.getRuntime().halt(BridgeMain.run(args, out, LONG));
  }
}
