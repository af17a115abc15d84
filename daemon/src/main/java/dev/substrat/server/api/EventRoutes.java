package dev.substrat.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.http.server.SseStream;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.HiddenCharacters;
import dev.substrat.space.Spaces;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agents;
import dev.substrat.tool.transcript.RunAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// HTTP routes of the event log, as server-sent events.
///
/// Each client reads the log from its own position; nothing is queued for it, so a slow client
/// costs nothing but its position.
public final class EventRoutes {
  /// Half of the shortest idle timeout of common proxies.
  public static final Duration HEARTBEAT = Duration.ofSeconds(15);

  private static final int PAGE = 500;

  private final EventLog events;
  private final Agents agents;
  private final Spaces spaces;
  private final Supplier<List<String>> active;
  private final Duration heartbeat;

  /// `active` returns the agents that run a turn; `heartbeat` is the longest time without output.
  public EventRoutes(
      EventLog events,
      Agents agents,
      Spaces spaces,
      Supplier<List<String>> active,
      Duration heartbeat) {
    this.events = events;
    this.agents = agents;
    this.spaces = spaces;
    this.active = active;
    this.heartbeat = heartbeat;
  }

  public List<HttpRoute> routes() {
    return List.of(stream("/api/events"), stream("/api/sse"));
  }

  private HttpRoute stream(String path) {
    return HttpRoute.read(
            path,
            Scope.EVENTS_READ,
            "Stream events (server-sent events), starting after `Last-Event-ID` or `after`."
                + " A member gets only the events of their spaces.",
            this::follow)
        .withQuery("after", "Start after this event number. Default: new events only.")
        .withQuery("agent", "Only events of this agent (id or handle).")
        .withQuery("space", "Only events of this space.")
        .withQuery("run", "Only events of this run.")
        .withQuery("kinds", "Only these kinds of events, comma-separated.")
        .withQuery("visible", "true: escape hidden characters in texts as `\\u{202E}`.")
        .withHeader("Last-Event-ID", "Start after this event number; overrides `after`.");
  }

  private HttpReply follow(HttpExchange exchange) {
    long start = start(exchange);
    Event.EventFilter filter = filter(exchange);
    EventVisibility sight = EventVisibility.of(exchange, spaces);
    Set<String> kinds = kinds(exchange);
    boolean isForReading = exchange.query("visible").filter("true"::equals).isPresent();
    UnaryOperator<JsonNode> form = isForReading ? EventRoutes::visible : UnaryOperator.identity();
    return new HttpReply.EventStreamReply(out -> write(out, start, filter, sight, kinds, form));
  }

  /// An empty set means all kinds.
  private static Set<String> kinds(HttpExchange exchange) {
    return exchange.query("kinds").stream()
        .flatMap(text -> Stream.of(text.split(",")))
        .filter(kind -> !kind.isBlank())
        .map(String::strip)
        .collect(Collectors.toUnmodifiableSet());
  }

  private Event.EventFilter filter(HttpExchange exchange) {
    if (!RunAccess.isVisible(exchange.caller())
        && (exchange.query("agent").isPresent() || exchange.query("run").isPresent())) {
      throw ErrorCode.FORBIDDEN.fault(
          "a member cannot filter events by agent or run",
          "omit the filter, or filter by one of your spaces: space=ID");
    }
    return new Event.EventFilter(
        exchange.query("agent").map(agents::require).map(a -> a.id().value()).orElse(null),
        exchange.query("space").map(id -> spaces.require(exchange.caller(), id).id()).orElse(null),
        exchange.query("run").orElse(null));
  }

  /// A browser sends the header when it reconnects, so it is newer than the query parameter.
  private long start(HttpExchange exchange) {
    Optional<String> last =
        exchange
            .header("Last-Event-ID")
            .filter(text -> !text.isBlank())
            .or(() -> exchange.query("after"));
    return last.isPresent() ? number(last.get()) : events.last();
  }

  private static long number(String text) {
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Rejected below, like a negative number.
    }
    throw ErrorCode.INVALID_ARGUMENTS.fault(
        "\"" + text + "\" is not an event number",
        "omit `after` and Last-Event-ID to get new events only");
  }

  private void write(
      SseStream out,
      long start,
      Event.EventFilter filter,
      EventVisibility sight,
      Set<String> kinds,
      UnaryOperator<JsonNode> form)
      throws IOException, InterruptedException {
    hello(out, sight);
    long position = start;
    long written = System.nanoTime();
    // Read before the query, so that a signal during the query is not missed.
    for (long seen = events.signal().count();
        out.isOpen() && sight.lasts();
        seen = events.signal().count()) {
      long newest = filter.equals(Event.EventFilter.NONE) ? 0 : events.last();
      List<Event> page = events.after(position, filter, PAGE);
      List<Event> shown =
          sight.visible(page).stream()
              .filter(event -> kinds.isEmpty() || kinds.contains(event.kind()))
              .toList();
      for (Event event : shown) {
        out.send(event.seq(), event.kind(), Json.bytes(form.apply(json(event))));
      }
      position = page.isEmpty() ? position : page.getLast().seq();
      if (page.size() < PAGE) {
        // Events that do not match the filter are not read again.
        position = Math.max(position, newest);
      }
      if (!shown.isEmpty()) {
        out.flush();
        written = System.nanoTime();
      } else if (page.size() < PAGE) {
        written = await(out, seen, written);
      }
    }
    var goodbye = Json.object().put("kind", "goodbye").put("resumeAfter", position);
    out.send("goodbye", Json.bytes(goodbye));
    out.flush();
  }

  /// Waits for a signal. The signal is sent for every event, so the heartbeat counts from the last
  /// output to this client.
  private long await(SseStream out, long seen, long written)
      throws IOException, InterruptedException {
    Duration silence = Duration.ofNanos(System.nanoTime() - written);
    if (silence.compareTo(heartbeat) < 0) {
      events.signal().awaitMoreThan(seen, heartbeat.minus(silence));
      return written;
    }
    out.comment("still here");
    return System.nanoTime();
  }

  private void hello(SseStream out, EventVisibility sight) throws IOException {
    var hello = Json.object().put("kind", "connected").put("lastEvent", events.last());
    var busy = hello.putArray("active");
    if (sight.seesAgents()) {
      active.get().forEach(busy::add);
    }
    out.send("connected", Json.bytes(hello));
    out.flush();
  }

  /// The same with hidden characters escaped, for pages whose scripts display the texts.
  private static JsonNode visible(JsonNode node) {
    return switch (node) {
      case ObjectNode object -> {
        var shown = Json.object();
        object
            .properties()
            .forEach(
                one -> shown.set(HiddenCharacters.escape(one.getKey()), visible(one.getValue())));
        yield shown;
      }
      case ArrayNode array -> {
        var shown = Json.object().arrayNode();
        array.forEach(one -> shown.add(visible(one)));
        yield shown;
      }
      case TextNode text -> Json.tree(HiddenCharacters.escape(text.asText()));
      default -> node;
    };
  }

  private static ObjectNode json(Event event) {
    var json = Json.object().put("seq", event.seq()).put("at", event.at().toString());
    json.put("kind", event.kind());
    if (event.agent() != null) {
      json.put("agentId", event.agent());
    }
    if (event.peer() != null) {
      json.put("peerId", event.peer());
    }
    if (event.space() != null) {
      json.put("spaceId", event.space());
    }
    if (event.run() != null) {
      json.put("runId", event.run());
    }
    json.setAll(event.payload());
    return json;
  }
}
