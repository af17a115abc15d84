package dev.substrat.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Fingerprint;
import dev.substrat.tool.Call;
import dev.substrat.tool.ToolReply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// Gives the same answer to the same arguments for a while. Only answers that went well are kept,
/// in memory, and each tool of each agent has its own.
final class Cached implements Work {
  private static final int MOST = 500;

  private final Work inner;
  private final Duration ttl;
  private final InstantSource clock;
  private final Map<String, Kept> kept =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
              return size() > MOST;
            }
          });

  Cached(Work inner, Duration ttl, InstantSource clock) {
    this.inner = inner;
    this.ttl = ttl;
    this.clock = clock;
  }

  private record Kept(ToolReply.Done reply, Instant until) {}

  @Override
  public ToolReply run(Call call, ObjectNode arguments) {
    String key = Fingerprint.of(arguments);
    Kept known = kept.get(key);
    if (known != null && clock.instant().isBefore(known.until())) {
      return known.reply();
    }
    ToolReply reply = inner.run(call, arguments);
    if (reply instanceof ToolReply.Done done) {
      kept.put(key, new Kept(done, clock.instant().plus(ttl)));
    }
    return reply;
  }
}
