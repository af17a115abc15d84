package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.mcp.wire.McpHeaders;
import dev.substrat.mcp.wire.ProtocolRevision;
import dev.substrat.platform.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Protocol negotiation with a server: the modern era is tried first, then the legacy one.
record ProtocolNegotiation(RequestChannel conversation, String version) {
  private static final String MODERN = ProtocolRevision.R2026_07_28.toString();

  /// The last one is the revision of servers without Streamable HTTP.
  private static final List<String> LEGACY =
      List.of(
          ProtocolRevision.R2025_11_25.toString(),
          ProtocolRevision.R2025_06_18.toString(),
          ProtocolRevision.R2025_03_26.toString(),
          "2024-11-05");

  /// A server that ignores unknown requests is of the legacy era.
  private static final Duration MAX_PROBE_TIME = Duration.ofSeconds(5);

  private static final int HEADER_MISMATCH = -32020;
  private static final int MISSING_CAPABILITY = -32021;
  private static final int UNSUPPORTED_REVISION = -32022;

  /// Eras to try.
  enum ProtocolEras {
    BOTH,
    LEGACY
  }

  NegotiatedProtocol negotiate(ProtocolEras eras, RemoteDeadline deadline) {
    Optional<NegotiatedProtocol> modern =
        eras == ProtocolEras.BOTH ? probe(deadline) : Optional.empty();
    return modern.orElseGet(() -> initialize(deadline));
  }

  /// Empty if the server is not of the modern era.
  private Optional<NegotiatedProtocol> probe(RemoteDeadline deadline) {
    try {
      return Optional.of(discover(deadline));
    } catch (RemoteFailure failure) {
      int code = failure.refusal().code();
      if (code == UNSUPPORTED_REVISION) {
        Set<String> spoken = texts(failure.refusal().data().path("supported"));
        if (spoken.contains(MODERN)) {
          return Optional.of(discover(deadline));
        }
        requireCommon(spoken);
      }
      if (isFinal(failure, code)) {
        throw failure;
      }
      return Optional.empty();
    }
  }

  /// Whether a legacy handshake would fail, too.
  private static boolean isFinal(RemoteFailure failure, int code) {
    int status = failure.refusal().status();
    return code == HEADER_MISMATCH
        || code == MISSING_CAPABILITY
        || status == 401
        || status == 403
        || switch (failure.reason()) {
          case BLOCKED, UNREACHABLE, NO_PROGRAM, NO_PATH, CLOSED, CANCELLED -> true;
          case TIMED_OUT, PROTOCOL, REFUSED, TOO_LARGE, SESSION_LOST -> false;
        };
  }

  private NegotiatedProtocol discover(RemoteDeadline deadline) {
    ObjectNode params = Json.object();
    params.set("_meta", meta());
    ObjectNode result = ask("server/discover", params, deadline.atMost(MAX_PROBE_TIME));
    Set<String> spoken = texts(result.path("supportedVersions"));
    if (!spoken.contains(MODERN)) {
      throw RemoteFailure.protocol("the server does not support protocol version " + MODERN);
    }
    return agreed(new NegotiatedProtocol(MODERN, true, capabilities(result)));
  }

  private ObjectNode ask(String method, ObjectNode params, RemoteDeadline deadline) {
    return conversation.ask(method, params, Map.of(), deadline);
  }

  private NegotiatedProtocol agreed(NegotiatedProtocol accord) {
    conversation.agreed(accord);
    return accord;
  }

  /// Metadata of every request of the modern era.
  ObjectNode meta() {
    var meta = Json.object().put(McpHeaders.META + "protocolVersion", MODERN);
    meta.set(McpHeaders.META + "clientInfo", identity());
    meta.putObject(McpHeaders.META + "clientCapabilities");
    return meta;
  }

  private ObjectNode identity() {
    return Json.object().put("name", "substrat").put("title", "Substrat").put("version", version);
  }

  private NegotiatedProtocol initialize(RemoteDeadline deadline) {
    var params = Json.object().put("protocolVersion", LEGACY.getFirst());
    params.putObject("capabilities");
    params.set("clientInfo", identity());
    ObjectNode result = ask("initialize", params, deadline);
    String revision = result.path("protocolVersion").asText();
    requireCommon(Set.of(revision));
    NegotiatedProtocol accord =
        agreed(new NegotiatedProtocol(revision, false, capabilities(result)));
    conversation.sendNotification(
        JsonRpc.notification("notifications/initialized", Json.object()), deadline);
    return accord;
  }

  private static void requireCommon(Set<String> spoken) {
    if (LEGACY.stream().noneMatch(spoken::contains)) {
      throw RemoteFailure.because(
          FailureReason.PROTOCOL,
          "the server supports no MCP protocol version that Substrat supports");
    }
  }

  private static ObjectNode capabilities(ObjectNode result) {
    return result.path("capabilities") instanceof ObjectNode given ? given : Json.object();
  }

  private static Set<String> texts(JsonNode list) {
    return Set.copyOf(list.valueStream().map(JsonNode::asText).toList());
  }
}
