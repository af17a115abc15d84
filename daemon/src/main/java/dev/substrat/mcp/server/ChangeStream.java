package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.SseStream;
import dev.substrat.mcp.spi.CatalogChange;
import dev.substrat.mcp.spi.ChangeWatch;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// Long-lived stream that notifies a client of changes.
final class ChangeStream {
  /// A disconnect is noticed by the second failed write, and the protocol gives two seconds.
  static final Duration SILENCE = Duration.ofMillis(700);

  private ChangeStream() {}

  /// Writes until the client has disconnected, the daemon stops or `isWanted` is false. `toMessage`
  /// converts a change to a message, or to nothing if the client did not subscribe to it.
  static void follow(
      SseStream out,
      ChangeWatch watch,
      Function<CatalogChange, Optional<ObjectNode>> toMessage,
      BooleanSupplier isWanted)
      throws IOException, InterruptedException {
    while (out.isOpen() && isWanted.getAsBoolean()) {
      boolean silent = true;
      for (CatalogChange change : watch.next(SILENCE)) {
        Optional<ObjectNode> message = toMessage.apply(change);
        if (message.isPresent()) {
          out.send("message", Json.bytes(message.get()));
          silent = false;
        }
      }
      if (silent) {
        out.comment("");
      } else {
        out.flush();
      }
    }
  }

  /// The notification in both eras; the modern one adds metadata.
  static ObjectNode message(CatalogChange change) {
    return switch (change) {
      case CatalogChange.CatalogListChange.TOOLS -> plain("tools/list_changed");
      case CatalogChange.CatalogListChange.PROMPTS -> plain("prompts/list_changed");
      case CatalogChange.CatalogListChange.RESOURCES -> plain("resources/list_changed");
      case CatalogChange.ResourceChange resource ->
          JsonRpc.notification(
              "notifications/resources/updated", Json.object().put("uri", resource.uri()));
      case CatalogChange.TaskChange _ ->
          throw new IllegalArgumentException("a task notification needs the task's state");
    };
  }

  private static ObjectNode plain(String what) {
    return JsonRpc.notification("notifications/" + what, Json.object());
  }
}
