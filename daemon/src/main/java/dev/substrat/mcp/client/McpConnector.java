package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.mcp.client.McpClient.RawConnection;
import dev.substrat.mcp.client.ProtocolNegotiation.ProtocolEras;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.mcp.client.transport.McpEndpoint;
import dev.substrat.mcp.client.transport.McpHttpRequests;
import dev.substrat.mcp.client.transport.McpTransport;
import dev.substrat.mcp.client.transport.SseTransport;
import dev.substrat.mcp.client.transport.StdioTransport;
import dev.substrat.mcp.client.transport.StreamableHttpTransport;
import dev.substrat.platform.sandbox.Sandbox;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/// Opens connections to servers, newest protocol first.
public final class McpConnector {
  /// Statuses of a server that does not support Streamable HTTP.
  private static final Set<Integer> OLD = Set.of(400, 404, 405);

  private final GuardedHttpClient outgoing;
  private final String version;
  private final Sandbox sandbox;

  /// `version` is the client version that servers see.
  public McpConnector(GuardedHttpClient outgoing, String version) {
    this(outgoing, version, Sandbox.onPath(System.getenv().getOrDefault("PATH", "")));
  }

  /// With the sandbox for programs.
  public McpConnector(GuardedHttpClient outgoing, String version, Sandbox sandbox) {
    this.outgoing = outgoing;
    this.version = version;
    this.sandbox = sandbox;
  }

  /// Sandbox for programs on this machine.
  public Sandbox sandbox() {
    return sandbox;
  }

  /// `toolsChanged` runs when the server's tools may have changed; it must return quickly.
  public McpClient connect(ServerAddress address, Runnable toolsChanged, Duration timeout) {
    RemoteDeadline deadline = RemoteDeadline.in(timeout);
    return switch (address) {
      case ServerAddress.HttpAddress http -> overHttp(http, toolsChanged, deadline);
      case ServerAddress.SseAddress sse -> overSse(sse, toolsChanged, deadline);
      case ServerAddress.ProgramAddress program -> overStdio(program, toolsChanged, deadline);
    };
  }

  private McpClient overHttp(
      ServerAddress.HttpAddress address, Runnable toolsChanged, RemoteDeadline deadline) {
    var endpoint = new McpEndpoint(new McpHttpRequests(outgoing, address.headers()), address.url());
    try {
      return openClient(
          heard -> new StreamableHttpTransport(endpoint, heard),
          true,
          ProtocolEras.BOTH,
          toolsChanged,
          deadline);
    } catch (RemoteFailure failure) {
      if (!OLD.contains(failure.refusal().status())) {
        throw failure;
      }
      var old = new ServerAddress.SseAddress(address.url(), address.headers());
      try {
        return overSse(old, toolsChanged, deadline);
      } catch (RemoteFailure e) {
        // The first failure is more specific.
        throw failure;
      }
    }
  }

  private McpClient overSse(
      ServerAddress.SseAddress address, Runnable toolsChanged, RemoteDeadline deadline) {
    var web = new McpHttpRequests(outgoing, address.headers());
    return openClient(
        heard -> new SseTransport(web, address.url(), heard),
        false,
        ProtocolEras.LEGACY,
        toolsChanged,
        deadline);
  }

  private McpClient overStdio(
      ServerAddress.ProgramAddress address, Runnable toolsChanged, RemoteDeadline deadline) {
    Function<Consumer<JsonNode>, McpTransport> start =
        heard -> StdioTransport.start(address, sandbox, heard);
    try {
      return openClient(start, false, ProtocolEras.BOTH, toolsChanged, deadline);
    } catch (RemoteFailure failure) {
      if (failure.reason() != FailureReason.CLOSED) {
        throw failure;
      }
      // Some servers exit after an unknown request.
      return openClient(start, false, ProtocolEras.LEGACY, toolsChanged, deadline);
    }
  }

  private McpClient openClient(
      Function<Consumer<JsonNode>, McpTransport> open,
      boolean hasHeaders,
      ProtocolEras eras,
      Runnable toolsChanged,
      RemoteDeadline deadline) {
    var notifications = new ServerNotifications(toolsChanged);
    var conversation = new RequestChannel(open.apply(notifications::handle));
    try {
      var line = new RawConnection(conversation, notifications, hasHeaders);
      return McpClient.connect(line, version, eras, toolsChanged, deadline);
    } catch (RemoteFailure failure) {
      conversation.close();
      throw failure;
    }
  }
}
