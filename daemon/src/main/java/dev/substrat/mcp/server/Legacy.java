package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.mcp.spi.Client;
import dev.substrat.mcp.spi.Host;
import dev.substrat.mcp.spi.LogLevel;
import dev.substrat.mcp.spi.Offer;
import dev.substrat.mcp.spi.Outcome;
import dev.substrat.mcp.spi.Refusal;
import dev.substrat.mcp.spi.Watch;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.mcp.wire.Revision;
import dev.substrat.mcp.wire.Words;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/// The revisions up to 2025-11-25: a client says who it is once, with `initialize`, and is known by
/// its session from then on.
final class Legacy {
  static final String SESSION = Words.SESSION;

  /// Nobody needs more rounds; a tool that never has enough must end somewhere.
  private static final int MOST_ROUNDS = 10;

  private final Host host;
  private final Profile profile;
  private final Sessions sessions = new Sessions();
  private final Questions questions = new Questions();
  private final Calls calls;

  Legacy(Host host, Profile profile, Calls calls) {
    this.host = host;
    this.calls = calls;
    this.profile = profile;
  }

  /// `inOnePiece` if the answer cannot become a stream, whatever the client accepts.
  HttpReply answer(HttpExchange exchange, Message.Request request, boolean inOnePiece) {
    if (request.method().equals("initialize")) {
      return initialize(exchange.caller(), request);
    }
    Session session = session(exchange);
    var inquiry = new Inquiry(exchange, session.client(), request, session.level(), inOnePiece);
    try {
      return inquiry.answer(
          200, JsonRpc.result(request.id(), result(exchange, request, inquiry)), Map.of());
    } catch (CancellationException e) {
      return inquiry.end();
    } catch (Refusal refusal) {
      return inquiry.answer(200, JsonRpc.error(request.id(), refusal.json()), Map.of());
    } catch (Fault fault) {
      Refusal refusal = Refusal.because(fault);
      return inquiry.answer(200, JsonRpc.error(request.id(), refusal.json()), Map.of());
    } finally {
      inquiry.close();
    }
  }

  private HttpReply initialize(Principal caller, Message.Request request) {
    Revision revision =
        Revision.of(request.params().path("protocolVersion").asText())
            .filter(wanted -> !wanted.isModern())
            .orElse(Revision.NEWEST_LEGACY);
    var result = Json.object().put("protocolVersion", revision.toString());
    result.set("capabilities", profile.capabilities(revision));
    result.set("serverInfo", profile.identity());
    result.put("instructions", host.instructions(caller));
    String id = sessions.begin(revision, request.params().path("capabilities"));
    return new HttpReply.Json(200, JsonRpc.result(request.id(), result), Map.of(SESSION, id));
  }

  private ObjectNode result(HttpExchange exchange, Message.Request request, Inquiry inquiry) {
    // A greeting, like initialize: it says that somebody is there, not that they have read what was
    // given to whoever was there before.
    if (request.method().equals("ping")) {
      return Json.object();
    }
    Offer offer = host.offer(exchange.caller(), inquiry.idempotencyKey());
    return switch (request.method()) {
      case "logging/setLevel" -> setLevel(exchange, request);
      case "resources/subscribe" -> {
        sessions.subscribe(exchange.caller(), sessionId(exchange), request.text("uri"));
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

  private ObjectNode setLevel(HttpExchange exchange, Message.Request request) {
    String word = request.text("level");
    LogLevel level =
        LogLevel.of(word).orElseThrow(() -> Refusal.badParams("there is no level " + word));
    kept(exchange).level(level);
    return Json.object();
  }

  /// What the modern era leaves to the client, asking and calling again, happens here.
  private ObjectNode inRounds(
      Offer offer, HttpExchange exchange, Message.Request request, Inquiry inquiry) {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      switch (Methods.call(offer, request, inquiry)) {
        case Outcome.Complete complete -> {
          return complete.result();
        }
        case Outcome.Deferred deferred -> {
          return deferred.otherwise();
        }
        case Outcome.Unanswered open -> {
          inquiry.client().requireFor(open.questions());
          inquiry.requireStream();
          ObjectNode answers = questions.ask(exchange.caller().key(), open.questions(), inquiry);
          ObjectNode state = open.state();
          inquiry.goOn(answers, state == null ? Json.object() : state);
        }
      }
    }
    throw Refusal.notNow("this needs more questions than anybody would answer");
  }

  /// None is answered.
  void hear(HttpExchange exchange, Message.Notification news) {
    if (news.method().equals("notifications/cancelled")) {
      calls.cancelled(exchange, news.params().path("requestId"));
    }
  }

  void hear(HttpExchange exchange, Message.Answer answer) {
    questions.answered(exchange.caller().key(), answer);
  }

  /// The stream on which a client hears what it did not ask for.
  HttpReply listen(HttpExchange exchange) {
    Session session = exchange.header(SESSION).isPresent() ? kept(exchange) : session(exchange);
    var admission = new Admission(exchange);
    return new HttpReply.Events(out -> {
      try (Watch watch = host.watch(exchange.caller())) {
        out.comment("listening");
        News.follow(
            out,
            watch,
            change -> Optional.of(change).filter(session::wants).map(News::message),
            () -> !session.isOver() && admission.holds());
      }
    });
  }

  HttpReply end(HttpExchange exchange) {
    String id =
        exchange
            .header(SESSION)
            .orElseThrow(() ->
                Refusal.malformed(Refusal.INVALID_REQUEST, "say which session, in " + SESSION));
    sessions.end(exchange.caller(), id);
    return HttpReply.noContent();
  }

  /// A client without a session can do nothing but ask.
  private Session session(HttpExchange exchange) {
    return exchange
        .header(SESSION)
        .map(id -> sessions.find(exchange.caller(), id))
        .orElseGet(() -> new Session(new Client(revision(exchange), Json.object())));
  }

  private Session kept(HttpExchange exchange) {
    return sessions.keep(exchange.caller(), sessionId(exchange));
  }

  private static String sessionId(HttpExchange exchange) {
    return exchange
        .header(SESSION)
        .orElseThrow(() -> Refusal.notNow("this is possible in a session only; see initialize"));
  }

  /// The revision that has no header for it is the one meant by a request without.
  static Revision revision(HttpExchange exchange) {
    return exchange.header(Modern.VERSION).flatMap(Revision::of).orElse(Revision.R2025_03_26);
  }
}
