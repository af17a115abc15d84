package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.mcp.spi.ChangeWatch;
import dev.substrat.mcp.spi.McpCatalog;
import dev.substrat.mcp.spi.McpCatalogSource;
import dev.substrat.mcp.spi.McpClientInfo;
import dev.substrat.mcp.spi.McpLogLevel;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.mcp.wire.McpHeaders;
import dev.substrat.mcp.wire.ProtocolRevision;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Protocol of the legacy era (revisions up to 2025-11-25): a client identifies itself once, with
/// `initialize`, and then by its session.
final class LegacyProtocol {
  static final String SESSION = McpHeaders.SESSION;

  /// Upper bound of input rounds, so that a tool cannot ask forever.
  private static final int MAX_ROUNDS = 10;

  private final McpCatalogSource host;
  private final ServerInfo profile;
  private final McpSessions sessions = new McpSessions();
  private final ServerRequests questions = new ServerRequests();
  private final InFlightRequests calls;

  LegacyProtocol(McpCatalogSource host, ServerInfo profile, InFlightRequests calls) {
    this.host = host;
    this.calls = calls;
    this.profile = profile;
  }

  /// `inOnePiece`: the response must not become a stream.
  HttpReply answer(HttpExchange exchange, ClientMessage.ClientRequest request, boolean inOnePiece) {
    if (request.method().equals("initialize")) {
      return initialize(exchange.caller(), request);
    }
    McpSession session = session(exchange);
    var inquiry = new McpExchange(exchange, session.client(), request, session.level(), inOnePiece);
    try {
      return inquiry.answer(
          200, JsonRpc.result(request.id(), result(exchange, request, inquiry)), Map.of());
    } catch (CancellationException e) {
      return inquiry.end();
    } catch (ProtocolError refusal) {
      return inquiry.answer(200, JsonRpc.error(request.id(), refusal.json()), Map.of());
    } catch (Fault fault) {
      ProtocolError refusal = ProtocolError.because(fault);
      return inquiry.answer(200, JsonRpc.error(request.id(), refusal.json()), Map.of());
    } finally {
      inquiry.close();
    }
  }

  private HttpReply initialize(Principal caller, ClientMessage.ClientRequest request) {
    ProtocolRevision revision =
        ProtocolRevision.of(request.params().path("protocolVersion").asText())
            .filter(wanted -> !wanted.isModern())
            .orElse(ProtocolRevision.NEWEST_LEGACY);
    var result = Json.object().put("protocolVersion", revision.toString());
    result.set("capabilities", profile.capabilities(revision));
    result.set("serverInfo", profile.identity());
    result.put("instructions", host.instructions(caller));
    String id = sessions.begin(revision, request.params().path("capabilities"));
    return new HttpReply.JsonReply(200, JsonRpc.result(request.id(), result), Map.of(SESSION, id));
  }

  private ObjectNode result(
      HttpExchange exchange, ClientMessage.ClientRequest request, McpExchange inquiry) {
    // Like initialize, a ping shows only that a client is connected, not that it has received
    // earlier results.
    if (request.method().equals("ping")) {
      return Json.object();
    }
    McpCatalog offer = host.catalogOf(exchange.caller(), inquiry.idempotencyKey());
    return switch (request.method()) {
      case "logging/setLevel" -> setLevel(exchange, request);
      case "resources/subscribe" -> {
        sessions.subscribe(
            exchange.admission().account(), sessionId(exchange), request.text("uri"));
        yield Json.object();
      }
      case "resources/unsubscribe" -> {
        kept(exchange).unsubscribe(request.text("uri"));
        yield Json.object();
      }
      default ->
          calls.during(
              exchange, request, inquiry, () -> inRounds(offer, exchange, request, inquiry));
    };
  }

  private ObjectNode setLevel(HttpExchange exchange, ClientMessage.ClientRequest request) {
    String word = request.text("level");
    McpLogLevel level =
        McpLogLevel.of(word)
            .orElseThrow(() -> ProtocolError.badParams("unknown log level " + word));
    kept(exchange).level(level);
    return Json.object();
  }

  /// Asks the client and repeats the call, which clients of the modern era do themselves.
  private ObjectNode inRounds(
      McpCatalog offer,
      HttpExchange exchange,
      ClientMessage.ClientRequest request,
      McpExchange inquiry) {
    for (int round = 0; round < MAX_ROUNDS; round++) {
      switch (CommonMethods.call(offer, request, inquiry)) {
        case McpOutcome.CompleteResult complete -> {
          return complete.result();
        }
        case McpOutcome.TaskStarted deferred -> {
          return deferred.otherwise();
        }
        case McpOutcome.InputRequired open -> {
          inquiry.client().requireFor(open.questions());
          inquiry.requireStream();
          ObjectNode answers =
              questions.ask(exchange.admission().account(), open.questions(), inquiry);
          ObjectNode state = open.state();
          inquiry.startRound(answers, state == null ? Json.object() : state);
        }
      }
    }
    throw ProtocolError.notNow("the tool requested input more than " + MAX_ROUNDS + " times");
  }

  /// Notifications get no response.
  void receive(HttpExchange exchange, ClientMessage.ClientNotification notification) {
    if (notification.method().equals("notifications/cancelled")) {
      calls.cancelled(exchange, notification.params().path("requestId"));
    }
  }

  void receive(HttpExchange exchange, ClientMessage.ClientResponse answer) {
    questions.answered(exchange.admission().account(), answer);
  }

  /// The stream for messages that are not responses.
  HttpReply listen(HttpExchange exchange) {
    McpSession session = exchange.header(SESSION).isPresent() ? kept(exchange) : session(exchange);
    var admission = new StreamAccessCheck(exchange);
    return new HttpReply.EventStreamReply(out -> {
      try (ChangeWatch watch = host.watch(exchange.caller())) {
        out.comment("listening");
        ChangeStream.follow(
            out,
            watch,
            change -> Optional.of(change).filter(session::wants).map(ChangeStream::message),
            () -> !session.isOver() && admission.holds());
      }
    });
  }

  HttpReply end(HttpExchange exchange) {
    String id =
        exchange
            .header(SESSION)
            .orElseThrow(() ->
                ProtocolError.malformed(
                    ProtocolError.INVALID_REQUEST, "the request needs the header " + SESSION));
    sessions.end(exchange.admission().account(), id);
    return HttpReply.noContent();
  }

  /// A client without a session can only send requests.
  private McpSession session(HttpExchange exchange) {
    return exchange
        .header(SESSION)
        .map(id -> sessions.find(exchange.admission().account(), id))
        .orElseGet(() -> new McpSession(new McpClientInfo(revision(exchange), Json.object())));
  }

  private McpSession kept(HttpExchange exchange) {
    return sessions.keep(exchange.admission().account(), sessionId(exchange));
  }

  private static String sessionId(HttpExchange exchange) {
    return exchange
        .header(SESSION)
        .orElseThrow(() ->
            ProtocolError.notNow("this request needs a session; start a session with initialize"));
  }

  /// A request without the header uses the revision that did not have it yet.
  static ProtocolRevision revision(HttpExchange exchange) {
    return exchange
        .header(ModernProtocol.VERSION)
        .flatMap(ProtocolRevision::of)
        .orElse(ProtocolRevision.R2025_03_26);
  }

  /// Unanswered requests of the server to clients of the legacy era: they are sent on the stream of
  /// the request that needs them, and the answers arrive as separate requests.
  static final class ServerRequests {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration BEAT = Duration.ofMillis(700);

    private final Map<String, Open> open = new ConcurrentHashMap<>();

    /// The asked client, and the receiver of its answer.
    private record Open(String asked, CompletableFuture<ObjectNode> answer) {}

    /// Sends all requests and waits for all responses, as long as the client waits for the result.
    /// It holds a thread and nothing else.
    ObjectNode ask(String asked, ObjectNode questions, McpExchange inquiry) {
      var waiting = new LinkedHashMap<String, CompletableFuture<ObjectNode>>();
      var ids = new LinkedHashMap<String, String>();
      try {
        questions
            .properties()
            .forEach(one -> {
              String id = UUID.randomUUID().toString();
              var answer = new CompletableFuture<ObjectNode>();
              ids.put(one.getKey(), id);
              waiting.put(one.getKey(), answer);
              open.put(id, new Open(asked, answer));
              JsonNode question = one.getValue();
              inquiry.send(
                  JsonRpc.request(
                      new TextNode(id), question.path("method").asText(), question.path("params")));
            });
        var all = List.copyOf(waiting.values());
        inquiry.whenGone(() -> all.forEach(one -> one.cancel(false)));
        var answers = Json.object();
        waiting.forEach((name, answer) -> answers.set(name, await(answer, inquiry)));
        return answers;
      } finally {
        open.keySet().removeAll(ids.values());
      }
    }

    private static JsonNode await(CompletableFuture<ObjectNode> answer, McpExchange inquiry) {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (System.nanoTime() - end < 0) {
        try {
          ObjectNode body = answer.get(BEAT.toMillis(), TimeUnit.MILLISECONDS);
          if (body.path("result") instanceof ObjectNode result) {
            return result;
          }
          throw ProtocolError.notNow(
              "the client rejected the request: " + body.path("error").path("message").asText());
        } catch (TimeoutException e) {
          inquiry.beat();
        } catch (ExecutionException e) {
          throw new IllegalStateException(e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new CancellationException("the daemon is stopping");
        }
      }
      throw ProtocolError.notNow("the client did not answer in time");
    }

    /// A response to an unknown or abandoned request is ignored.
    void answered(String by, ClientMessage.ClientResponse answer) {
      Open one = open.get(answer.id());
      if (one != null && one.asked().equals(by)) {
        one.answer().complete(answer.body());
      }
    }
  }
}
