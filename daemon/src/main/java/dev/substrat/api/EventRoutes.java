package dev.substrat.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.event.Event;
import dev.substrat.event.EventLog;
import dev.substrat.fault.Fault;
import dev.substrat.http.EventStream;
import dev.substrat.http.Exchange;
import dev.substrat.http.Reply;
import dev.substrat.http.Route;
import dev.substrat.http.Route.Access;
import dev.substrat.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.Agents;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The event log as a live stream.
///
/// Each client reads the log at its own pace from where it is; nothing is queued for it, so a slow
/// one costs a position in the log and nothing else.
public final class EventRoutes {
  private static final int PAGE = 500;
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  private final EventLog events;
  private final Agents agents;
  private final Supplier<List<String>> active;

  /// `active` names the agents that are at work right now.
  public EventRoutes(EventLog events, Agents agents, Supplier<List<String>> active) {
    this.events = events;
    this.agents = agents;
    this.active = active;
  }

  public List<Route> routes() {
    return List.of(stream("/api/events"), stream("/api/sse"));
  }

  private Route stream(String path) {
    return Route.read(
        path,
        Access.OPERATOR,
        "What happens, as server-sent events; resumes after `Last-Event-ID` or `after`.",
        this::follow);
  }

  private Reply follow(Exchange exchange) {
    long start = start(exchange);
    var filter =
        new Event.Filter(
            exchange.query("agent").map(agents::require).map(a -> a.id().value()).orElse(null),
            exchange.query("space").orElse(null),
            exchange.query("run").orElse(null));
    return new Reply.Events(out -> write(out, start, filter));
  }

  /// A browser that reconnects sends the header by itself; it knows better than the address.
  private long start(Exchange exchange) {
    Optional<String> header = exchange.header("Last-Event-ID").filter(text -> !text.isBlank());
    if (header.isEmpty()) {
      return exchange.query("after").isPresent() ? exchange.number("after", 0) : events.last();
    }
    try {
      return Long.parseLong(header.get());
    } catch (NumberFormatException e) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "Last-Event-ID must be the number of an event",
          "leave it out to start with what comes next",
          e);
    }
  }

  private void write(EventStream out, long start, Event.Filter filter)
      throws IOException, InterruptedException {
    hello(out);
    long position = start;
    while (out.isOpen()) {
      long seen = events.bell().rings();
      List<Event> page = events.after(position, filter, PAGE);
      for (Event event : page) {
        out.send(event.seq(), event.kind(), Json.bytes(json(event)));
        position = event.seq();
      }
      if (!page.isEmpty()) {
        out.flush();
      } else {
        long before = System.nanoTime();
        events.bell().awaitMoreThan(seen, HEARTBEAT);
        if (System.nanoTime() - before >= HEARTBEAT.toNanos()) {
          out.comment("still here");
        }
      }
    }
    var goodbye = Json.object().put("kind", "goodbye").put("resumeAfter", position);
    out.send("goodbye", Json.bytes(goodbye));
    out.flush();
  }

  private void hello(EventStream out) throws IOException {
    var hello = Json.object().put("kind", "connected").put("lastEvent", events.last());
    var busy = hello.putArray("active");
    active.get().forEach(busy::add);
    out.send("connected", Json.bytes(hello));
    out.flush();
  }

  private static ObjectNode json(Event event) {
    var json = Json.object().put("seq", event.seq()).put("at", event.at().toString());
    json.put("kind", event.kind());
    if (event.agent() != null) {
      json.put("agentId", event.agent());
    }
    if (event.run() != null) {
      json.put("runId", event.run());
    }
    json.setAll(event.payload());
    return json;
  }
}
