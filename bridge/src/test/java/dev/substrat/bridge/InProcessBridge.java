package dev.substrat.bridge;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.time.Duration;

/// A bridge in this process, with shorter timeouts.
final class InProcessBridge implements AutoCloseable {
  private static final BridgeTimeouts SHORT =
      new BridgeTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ZERO);

  private final McpPipe pipe;
  private final Thread thread;

  InProcessBridge(Path data) throws IOException {
    this(data, SHORT);
  }

  InProcessBridge(Path data, BridgeTimeouts patience) throws IOException {
    this(
        data,
        patience,
        BridgeCredential.of(new BridgeOptions(data, "mira", null, null), "substrat_id_secret"));
  }

  /// A bridge without a token.
  InProcessBridge(BridgeOptions options) throws IOException {
    this(options.data(), SHORT, BridgeCredential.of(options, null));
  }

  private InProcessBridge(Path data, BridgeTimeouts patience, BridgeCredential credential)
      throws IOException {
    Pipe in = Pipe.open();
    Pipe out = Pipe.open();
    var toClient = Channels.newOutputStream(out.sink());
    var client = new StdioClient(toClient, () -> {});
    var keys = new IdempotencyKeys();
    var ends =
        new BridgeContext(
            client,
            new DaemonConnectionPool(data),
            credential,
            new BridgeSession(credential, keys, client),
            keys,
            patience);
    var bridge = new Bridge(Channels.newInputStream(in.source()), ends);
    this.pipe =
        new McpPipe(Channels.newOutputStream(in.sink()), Channels.newInputStream(out.source()));
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try (toClient) {
                bridge.run();
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  McpPipe pipe() {
    return pipe;
  }

  /// Closes the input and waits until the bridge has ended.
  @Override
  public void close() throws IOException {
    pipe.end();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
