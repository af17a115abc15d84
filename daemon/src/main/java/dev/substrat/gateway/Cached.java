package dev.substrat.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Fingerprint;
import dev.substrat.json.Json;
import dev.substrat.tool.Call;
import dev.substrat.tool.ToolReply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Gives the same answer to the same arguments for a while. Only answers that went well are kept,
/// in memory, and each tool of each agent has its own.
///
/// Safe for many threads, guarded by its lock, which nobody holds while the work is done.
final class Cached implements Work {
  private static final int MOST = 500;

  /// A few of the largest answers there are, or hundreds of the usual ones.
  private static final long MOST_BYTES = 4_000_000;

  private final Work inner;
  private final Duration ttl;
  private final InstantSource clock;

  /// What was wanted last is last.
  private final Map<String, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);

  Cached(Work inner, Duration ttl, InstantSource clock) {
    this.inner = inner;
    this.ttl = ttl;
    this.clock = clock;
  }

  private record Kept(ToolReply.Done reply, long bytes, Instant until) {}

  @Override
  public ToolReply run(Call call, ObjectNode arguments) {
    String key = Fingerprint.of(arguments);
    ToolReply.Done known = known(key);
    if (known != null) {
      return known;
    }
    ToolReply reply = inner.run(call, arguments);
    if (reply instanceof ToolReply.Done done) {
      keep(key, new Kept(done, Json.bytes(done.json()).length, clock.instant().plus(ttl)));
    }
    return reply;
  }

  private synchronized ToolReply.@Nullable Done known(String key) {
    Kept known = kept.get(key);
    return known != null && isFresh(known) ? known.reply() : null;
  }

  private boolean isFresh(Kept one) {
    return clock.instant().isBefore(one.until());
  }

  private synchronized void keep(String key, Kept fresh) {
    kept.values().removeIf(one -> !isFresh(one));
    kept.put(key, fresh);
    long bytes = kept.values().stream().mapToLong(Kept::bytes).sum();
    var eldest = kept.values().iterator();
    while (eldest.hasNext() && (kept.size() > MOST || bytes > MOST_BYTES)) {
      bytes -= eldest.next().bytes();
      eldest.remove();
    }
  }
}
