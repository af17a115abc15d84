package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.mcp.client.McpClient.Line;
import dev.substrat.mcp.client.ProtocolNegotiation.Eras;
import dev.substrat.mcp.client.RemoteFailure.Reason;
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

  /// `version` is how we introduce ourselves.
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

  /// `toolsChanged` is run whenever the server may have other tools than before; it must not take
  /// long.
  public McpClient connect(ServerAddress address, Runnable toolsChanged, Duration patience) {
    RemoteDeadline deadline = RemoteDeadline.in(patience);
    return switch (address) {
      case ServerAddress.Http http -> overHttp(http, toolsChanged, deadline);
      case ServerAddress.Sse sse -> overSse(sse, toolsChanged, deadline);
      case ServerAddress.Program program -> overStdio(program, toolsChanged, deadline);
    };
  }

  private McpClient overHttp(
      ServerAddress.Http address, Runnable toolsChanged, RemoteDeadline deadline) {
    var endpoint = new McpEndpoint(new McpHttpRequests(outgoing, address.headers()), address.url());
    try {
      return greet(
          heard -> new StreamableHttpTransport(endpoint, heard),
          true,
          Eras.BOTH,
          toolsChanged,
          deadline);
    } catch (RemoteFailure failure) {
      if (!OLD.contains(failure.refusal().status())) {
        throw failure;
      }
      var old = new ServerAddress.Sse(address.url(), address.headers());
      try {
        return overSse(old, toolsChanged, deadline);
      } catch (RemoteFailure e) {
        // The first failure is more specific.
        throw failure;
      }
    }
  }

  private McpClient overSse(
      ServerAddress.Sse address, Runnable toolsChanged, RemoteDeadline deadline) {
    var web = new McpHttpRequests(outgoing, address.headers());
    return greet(
        heard -> new SseTransport(web, address.url(), heard),
        false,
        Eras.LEGACY,
        toolsChanged,
        deadline);
  }

  private McpClient overStdio(
      ServerAddress.Program address, Runnable toolsChanged, RemoteDeadline deadline) {
    Function<Consumer<JsonNode>, McpTransport> start =
        heard -> StdioTransport.start(address, sandbox, heard);
    try {
      return greet(start, false, Eras.BOTH, toolsChanged, deadline);
    } catch (RemoteFailure failure) {
      if (failure.reason() != Reason.CLOSED) {
        throw failure;
      }
      // Some die of a request that they do not know.
      return greet(start, false, Eras.LEGACY, toolsChanged, deadline);
    }
  }

  private McpClient greet(
      Function<Consumer<JsonNode>, McpTransport> open,
      boolean hasHeaders,
      Eras eras,
      Runnable toolsChanged,
      RemoteDeadline deadline) {
    var ears = new ServerNotifications(toolsChanged);
    var conversation = new RequestChannel(open.apply(ears::handle));
    try {
      var line = new Line(conversation, ears, hasHeaders);
      return McpClient.greet(line, version, eras, toolsChanged, deadline);
    } catch (RemoteFailure failure) {
      conversation.close();
      throw failure;
    }
  }
}
