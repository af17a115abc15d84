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
import dev.substrat.protocol.Fault;
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

/// The event log as a live stream.
///
/// Each client reads the log at its own pace from where it is; nothing is queued for it, so a slow
/// one costs a position in the log and nothing else.
public final class EventRoutes {
  /// Half of what the most impatient proxies wait for.
  public static final Duration HEARTBEAT = Duration.ofSeconds(15);

  private static final int PAGE = 500;

  private final EventLog events;
  private final Agents agents;
  private final Spaces spaces;
  private final Supplier<List<String>> active;
  private final Duration heartbeat;

  /// `active` names the agents that are at work right now; `heartbeat` is the longest silence.
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
            "What happens, as server-sent events; resumes after `Last-Event-ID` or `after`."
                + " People see what happens in their spaces.",
            this::follow)
        .withQuery("after", "Resume after this number; without it, start with what comes next.")
        .withQuery("agent", "Only what is about this agent, by id or handle.")
        .withQuery("space", "Only what happened in this space.")
        .withQuery("run", "Only what happened in this run.")
        .withQuery("kinds", "Only these kinds, separated by commas.")
        .withQuery("visible", "true: hidden characters in texts are written as `\\u{202E}`.")
        .withHeader("Last-Event-ID", "Resume after this number; goes before `after`.");
  }

  private HttpReply follow(HttpExchange exchange) {
    long start = start(exchange);
    Event.Filter filter = filter(exchange);
    EventVisibility sight = EventVisibility.of(exchange, spaces);
    Set<String> kinds = kinds(exchange);
    boolean isForReading = exchange.query("visible").filter("true"::equals).isPresent();
    UnaryOperator<JsonNode> form = isForReading ? EventRoutes::visible : UnaryOperator.identity();
    return new HttpReply.Events(out -> write(out, start, filter, sight, kinds, form));
  }

  /// None means all.
  private static Set<String> kinds(HttpExchange exchange) {
    return exchange.query("kinds").stream()
        .flatMap(text -> Stream.of(text.split(",")))
        .filter(kind -> !kind.isBlank())
        .map(String::strip)
        .collect(Collectors.toUnmodifiableSet());
  }

  private Event.Filter filter(HttpExchange exchange) {
    if (!RunAccess.isVisible(exchange.caller())
        && (exchange.query("agent").isPresent() || exchange.query("run").isPresent())) {
      throw new Fault(
          ErrorCode.FORBIDDEN,
          "a member may not follow an agent or a run",
          "leave it out, or follow one of your spaces: space=ID");
    }
    return new Event.Filter(
        exchange.query("agent").map(agents::require).map(a -> a.id().value()).orElse(null),
        exchange.query("space").map(id -> spaces.require(exchange.caller(), id).id()).orElse(null),
        exchange.query("run").orElse(null));
  }

  /// A browser that reconnects sends the header by itself; it knows better than the address.
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
      // Said below, for both.
    }
    throw new Fault(
        ErrorCode.INVALID_ARGUMENTS,
        "\"" + text + "\" is not the number of an event",
        "leave out `after` and Last-Event-ID to start with what comes next");
  }

  private void write(
      SseStream out,
      long start,
      Event.Filter filter,
      EventVisibility sight,
      Set<String> kinds,
      UnaryOperator<JsonNode> form)
      throws IOException, InterruptedException {
    hello(out, sight);
    long position = start;
    long written = System.nanoTime();
    // Counted before anything is asked: a bell that rings meanwhile must not be waited for.
    for (long seen = events.signal().count();
        out.isOpen() && sight.lasts();
        seen = events.signal().count()) {
      long newest = filter.equals(Event.Filter.NONE) ? 0 : events.last();
      List<Event> page = events.after(position, filter, PAGE);
      List<Event> shown =
          sight.over(page).stream()
              .filter(event -> kinds.isEmpty() || kinds.contains(event.kind()))
              .toList();
      for (Event event : shown) {
        out.send(event.seq(), event.kind(), Json.bytes(form.apply(json(event))));
      }
      position = page.isEmpty() ? position : page.getLast().seq();
      if (page.size() < PAGE) {
        // What a filter has passed over need not be looked at again.
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

  /// Waits for the bell. It rings for everybody, so silence is counted from what this client was
  /// sent last, or a stream of rare events would never beat.
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

  /// The same with every hidden character shown, for pages whose scripts put the texts on screen.
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
