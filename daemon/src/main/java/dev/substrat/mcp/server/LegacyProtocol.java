package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import dev.substrat.mcp.wire.McpKeywords;
import dev.substrat.mcp.wire.ProtocolRevision;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/// The revisions up to 2025-11-25: a client says who it is once, with `initialize`, and is known by
/// its session from then on.
final class LegacyProtocol {
  static final String SESSION = McpKeywords.SESSION;

  /// Nobody needs more rounds; a tool that never has enough must end somewhere.
  private static final int MOST_ROUNDS = 10;

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

  /// `inOnePiece` if the answer cannot become a stream, whatever the client accepts.
  HttpReply answer(HttpExchange exchange, ClientMessage.Request request, boolean inOnePiece) {
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

  private HttpReply initialize(Principal caller, ClientMessage.Request request) {
    ProtocolRevision revision =
        ProtocolRevision.of(request.params().path("protocolVersion").asText())
            .filter(wanted -> !wanted.isModern())
            .orElse(ProtocolRevision.NEWEST_LEGACY);
    var result = Json.object().put("protocolVersion", revision.toString());
    result.set("capabilities", profile.capabilities(revision));
    result.set("serverInfo", profile.identity());
    result.put("instructions", host.instructions(caller));
    String id = sessions.begin(revision, request.params().path("capabilities"));
    return new HttpReply.Json(200, JsonRpc.result(request.id(), result), Map.of(SESSION, id));
  }

  private ObjectNode result(
      HttpExchange exchange, ClientMessage.Request request, McpExchange inquiry) {
    // A greeting, like initialize: it says that somebody is there, not that they have read what was
    // given to whoever was there before.
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

  private ObjectNode setLevel(HttpExchange exchange, ClientMessage.Request request) {
    String word = request.text("level");
    McpLogLevel level =
        McpLogLevel.of(word)
            .orElseThrow(() -> ProtocolError.badParams("there is no level " + word));
    kept(exchange).level(level);
    return Json.object();
  }

  /// What the modern era leaves to the client, asking and calling again, happens here.
  private ObjectNode inRounds(
      McpCatalog offer, HttpExchange exchange, ClientMessage.Request request, McpExchange inquiry) {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      switch (CommonMethods.call(offer, request, inquiry)) {
        case McpOutcome.Complete complete -> {
          return complete.result();
        }
        case McpOutcome.Deferred deferred -> {
          return deferred.otherwise();
        }
        case McpOutcome.Unanswered open -> {
          inquiry.client().requireFor(open.questions());
          inquiry.requireStream();
          ObjectNode answers =
              questions.ask(exchange.admission().account(), open.questions(), inquiry);
          ObjectNode state = open.state();
          inquiry.goOn(answers, state == null ? Json.object() : state);
        }
      }
    }
    throw ProtocolError.notNow("this needs more questions than anybody would answer");
  }

  /// None is answered.
  void hear(HttpExchange exchange, ClientMessage.Notification news) {
    if (news.method().equals("notifications/cancelled")) {
      calls.cancelled(exchange, news.params().path("requestId"));
    }
  }

  void hear(HttpExchange exchange, ClientMessage.Answer answer) {
    questions.answered(exchange.admission().account(), answer);
  }

  /// The stream on which a client hears what it did not ask for.
  HttpReply listen(HttpExchange exchange) {
    McpSession session = exchange.header(SESSION).isPresent() ? kept(exchange) : session(exchange);
    var admission = new StreamAccessCheck(exchange);
    return new HttpReply.Events(out -> {
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
                    ProtocolError.INVALID_REQUEST, "say which session, in " + SESSION));
    sessions.end(exchange.admission().account(), id);
    return HttpReply.noContent();
  }

  /// A client without a session can do nothing but ask.
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
        .orElseThrow(
            () -> ProtocolError.notNow("this is possible in a session only; see initialize"));
  }

  /// The revision that has no header for it is the one meant by a request without.
  static ProtocolRevision revision(HttpExchange exchange) {
    return exchange
        .header(ModernProtocol.VERSION)
        .flatMap(ProtocolRevision::of)
        .orElse(ProtocolRevision.R2025_03_26);
  }
}
