package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.mcp.spi.McpCatalog;
import dev.substrat.mcp.spi.McpCatalogSource;
import dev.substrat.mcp.spi.McpClientInfo;
import dev.substrat.mcp.spi.McpLogLevel;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.wire.HeaderArguments;
import dev.substrat.mcp.wire.HeaderText;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.mcp.wire.McpHeaders;
import dev.substrat.mcp.wire.ProtocolRevision;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Protocol of the modern era (revisions since 2026-07-28): every request contains the identity and
/// capabilities of its client, so no state is kept between requests.
final class ModernProtocol {
  static final String VERSION = McpHeaders.REVISION;

  /// Long enough to save most repeated requests; subscribed clients are notified of changes
  /// immediately.
  private static final Duration FRESH = Duration.ofMinutes(5);

  private static final Set<String> LISTS =
      Set.of(
          "server/discover",
          "tools/list",
          "prompts/list",
          "resources/list",
          "resources/templates/list");

  /// Not part of this era, so they must not count as a sign that the client has received results.
  private static final Set<String> GREETINGS_OF_OLD = Set.of("initialize", "ping");

  private final McpCatalogSource host;
  private final ServerInfo profile;
  private final SignedState seal;
  private final InFlightRequests calls;

  ModernProtocol(
      McpCatalogSource host, ServerInfo profile, InstantSource clock, InFlightRequests calls) {
    this.host = host;
    this.calls = calls;
    this.profile = profile;
    this.seal = new SignedState(clock);
  }

  HttpReply answer(HttpExchange exchange, ClientMessage.ClientRequest request) {
    McpClientInfo client = RequestMetadataCheck.check(exchange, request);
    var inquiry = new McpExchange(exchange, client, request, level(request.meta()), false);
    try {
      if (request.method().equals("server/discover")) {
        ObjectNode result = signed(request, complete(discover(exchange.caller())));
        return inquiry.answer(200, JsonRpc.result(request.id(), result), Map.of());
      }
      if (GREETINGS_OF_OLD.contains(request.method())) {
        throw ProtocolError.noMethod(request.method());
      }
      McpCatalog offer = host.catalogOf(exchange.caller(), inquiry.idempotencyKey());
      if (request.method().equals("subscriptions/listen")) {
        inquiry.requireStream();
        return new ListenSubscription(host, request, client).open(exchange, offer);
      }
      if (request.method().equals("tools/call")) {
        RequestMetadataCheck.checkMirrored(
            exchange, offer.mirrored(request.text("name")), request.object("arguments"));
      }
      ObjectNode result = signed(request, result(offer, exchange, request, inquiry));
      return inquiry.answer(200, JsonRpc.result(request.id(), result), Map.of());
    } catch (CancellationException e) {
      return inquiry.end();
    } catch (ProtocolError refusal) {
      return inquiry.answer(
          refusal.status(), JsonRpc.error(request.id(), refusal.json()), Map.of());
    } catch (Fault fault) {
      ProtocolError refusal = ProtocolError.because(fault);
      return inquiry.answer(
          refusal.status(), JsonRpc.error(request.id(), refusal.json()), Map.of());
    } finally {
      inquiry.close();
    }
  }

  private ObjectNode result(
      McpCatalog offer,
      HttpExchange exchange,
      ClientMessage.ClientRequest request,
      McpExchange inquiry) {
    return switch (request.method()) {
      case "tasks/get", "tasks/update", "tasks/cancel" ->
          complete(new TaskMethods(offer).call(request, inquiry.client()));
      default -> inOneRound(offer, exchange, request, inquiry);
    };
  }

  /// Adds the metadata of every response.
  private ObjectNode signed(ClientMessage.ClientRequest request, ObjectNode result) {
    if (result.path("resultType").asText().equals("complete")) {
      cacheHints(request.method(), result);
    }
    ObjectNode meta = result.path("_meta") instanceof ObjectNode own ? own : Json.object();
    meta.set(McpExchange.PROTOCOL + "serverInfo", profile.identity());
    result.set("_meta", meta);
    return result;
  }

  private ObjectNode discover(Principal caller) {
    var result = Json.object();
    var versions = result.putArray("supportedVersions");
    ProtocolRevision.dates().forEach(versions::add);
    result.set("capabilities", profile.capabilities(ProtocolRevision.R2026_07_28));
    return result.put("instructions", host.instructions(caller));
  }

  private ObjectNode inOneRound(
      McpCatalog offer,
      HttpExchange exchange,
      ClientMessage.ClientRequest request,
      McpExchange inquiry) {
    String caller = exchange.admission().account();
    if (request.params().hasNonNull("inputResponses")
        || request.params().hasNonNull("requestState")) {
      ObjectNode state =
          request.params().hasNonNull("requestState")
              ? seal.open(request.text("requestState"), caller, request)
              : Json.object();
      inquiry.startRound(answers(request), state);
    }
    return switch (calls.during(
        exchange, request, inquiry, () -> CommonMethods.call(offer, request, inquiry))) {
      case McpOutcome.CompleteResult done -> complete(done.result());
      case McpOutcome.TaskStarted deferred ->
          inquiry.client().hasTasks()
              ? deferred.task().brief().put("resultType", "task")
              : complete(deferred.otherwise());
      case McpOutcome.InputRequired open -> {
        inquiry.client().requireFor(open.questions());
        var result = Json.object().put("resultType", "input_required");
        result.set("inputRequests", open.questions());
        ObjectNode state = open.state();
        if (state != null) {
          result.put("requestState", seal.close(state, caller, request));
        }
        yield result;
      }
    };
  }

  /// Every answer must be an object.
  private static ObjectNode answers(ClientMessage.ClientRequest request) {
    ObjectNode answers = request.object("inputResponses");
    answers
        .properties()
        .forEach(one -> {
          if (!one.getValue().isObject()) {
            throw ProtocolError.badParams(
                "/params/inputResponses/" + one.getKey() + " must be an object");
          }
        });
    return answers;
  }

  private static ObjectNode complete(ObjectNode result) {
    return result.put("resultType", "complete");
  }

  /// Responses are private to a principal; lists can be cached for a while, resources may change at
  /// any time.
  private static void cacheHints(String method, ObjectNode result) {
    boolean isList = LISTS.contains(method);
    if (isList || method.equals("resources/read")) {
      result.put("ttlMs", isList ? FRESH.toMillis() : 0).put("cacheScope", "private");
    }
  }

  private static @Nullable McpLogLevel level(JsonNode meta) {
    return McpLogLevel.of(meta.path(McpExchange.PROTOCOL + "logLevel").asText()).orElse(null);
  }

  /// MCP methods for tasks (pending calls).
  private record TaskMethods(McpCatalog offer) {

    ObjectNode call(ClientMessage.ClientRequest request, McpClientInfo client) {
      client.requireTasks();
      String id = request.text("taskId");
      return switch (request.method()) {
        case "tasks/get" -> offer.fetchTask(id).orElseThrow(() -> unknown(id)).full();
        case "tasks/update" -> noted(id, offer.answerTask(id, request.object("inputResponses")));
        default -> noted(id, offer.cancelTask(id));
      };
    }

    private static ObjectNode noted(String id, boolean isKnown) {
      if (!isKnown) {
        throw unknown(id);
      }
      return Json.object();
    }

    private static ProtocolError unknown(String id) {
      return ProtocolError.badParams("task " + id + " not found");
    }
  }

  /// Metadata that every request of the modern era has in its body and again in its headers. Both
  /// must agree, so that proxies see the same request as the server.
  private static final class RequestMetadataCheck {
    private RequestMetadataCheck() {}

    /// Rejects a request whose metadata is missing or differs between body and headers.
    static McpClientInfo check(HttpExchange exchange, ClientMessage.ClientRequest request) {
      ProtocolRevision revision = revision(exchange, request);
      if (!(request.meta().path(McpExchange.PROTOCOL + "clientCapabilities")
          instanceof ObjectNode capabilities)) {
        throw lacking("clientCapabilities");
      }
      same(exchange, McpHeaders.METHOD, request.method());
      Optional<String> key = nameKey(request.method());
      if (key.isPresent() && request.params().path(key.get()).isTextual()) {
        same(exchange, McpHeaders.NAME, request.params().path(key.get()).textValue());
      }
      return new McpClientInfo(revision, capabilities);
    }

    private static ProtocolRevision revision(
        HttpExchange exchange, ClientMessage.ClientRequest request) {
      JsonNode said = request.meta().path(McpExchange.PROTOCOL + "protocolVersion");
      Optional<String> header = exchange.header(ModernProtocol.VERSION);
      if (!said.isTextual()) {
        if (header.isPresent() && ProtocolRevision.of(header.get()).isEmpty()) {
          throw ProtocolError.unsupported(header.get());
        }
        throw lacking("protocolVersion");
      }
      same(exchange, ModernProtocol.VERSION, said.textValue());
      return ProtocolRevision.of(said.textValue())
          .filter(ProtocolRevision::isModern)
          .orElseThrow(() -> ProtocolError.unsupported(said.textValue()));
    }

    private static ProtocolError lacking(String key) {
      return ProtocolError.malformed(
          ProtocolError.INVALID_PARAMS, "/params/_meta needs " + McpExchange.PROTOCOL + key);
    }

    private static void same(HttpExchange exchange, String header, String body) {
      String value =
          exchange
              .header(header)
              .orElseThrow(
                  () -> ProtocolError.headerMismatch("the header " + header + " is missing"));
      if (!decode(value).equals(body)) {
        throw ProtocolError.headerMismatch(
            "header " + header + " is \"" + value + "\", but the body has \"" + body + "\"");
      }
    }

    private static String decode(String value) {
      return HeaderText.decode(value)
          .orElseThrow(() -> ProtocolError.headerMismatch("not valid base64: " + value));
    }

    /// Rejects a call whose headers differ from its arguments.
    static void checkMirrored(HttpExchange exchange, HeaderArguments mirrored, JsonNode arguments) {
      mirrored
          .byHeader()
          .forEach((header, pointer) -> {
            JsonNode value = arguments.at(pointer);
            boolean isThere = value.isValueNode() && !value.isNull() && !value.isMissingNode();
            Optional<String> said = exchange.header(header).map(RequestMetadataCheck::decode);
            if (isThere ? said.isEmpty() || !isSame(value, said.get()) : said.isPresent()) {
              throw ProtocolError.headerMismatch(
                  "header " + header + " differs from /params/arguments" + pointer);
            }
          });
    }

    private static boolean isSame(JsonNode value, String said) {
      if (!value.isNumber()) {
        return value.asText().equals(said);
      }
      try {
        return value.decimalValue().compareTo(new BigDecimal(said)) == 0;
      } catch (NumberFormatException e) {
        return false;
      }
    }

    /// Key of the parameters that names the object of the request.
    private static Optional<String> nameKey(String method) {
      return switch (method) {
        case "tools/call", "prompts/get" -> Optional.of("name");
        case "resources/read" -> Optional.of("uri");
        case "tasks/get", "tasks/update", "tasks/cancel" -> Optional.of("taskId");
        default -> Optional.empty();
      };
    }
  }
}
