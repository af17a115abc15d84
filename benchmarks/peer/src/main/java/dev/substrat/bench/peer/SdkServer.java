package dev.substrat.bench.peer;

import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import jakarta.servlet.http.HttpServlet;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/// Minimal server on the official Java SDK: one tool, on Jetty, default settings. With sessions at
/// `/mcp`, without at `/stateless`.
public final class SdkServer {
  private static final McpSchema.Tool ECHO =
      McpSchema.Tool.builder(
              "echo",
              Map.of(
                  "type",
                  "object",
                  "properties",
                  Map.of("text", Map.of("type", "string")),
                  "required",
                  List.of("text")))
          .description("Says it again.")
          .build();

  private SdkServer() {}

  public static void main(String... args) throws Exception {
    var server = new Server();
    var connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    var context = new ServletContextHandler("/");
    add(context, "/mcp/*", withSessions());
    add(context, "/stateless/*", withoutSessions());
    server.setHandler(context);
    server.start();
    System.out.println("ready http://127.0.0.1:" + connector.getLocalPort());
    server.join();
  }

  private static void add(ServletContextHandler context, String path, HttpServlet servlet) {
    var holder = new ServletHolder(servlet);
    holder.setAsyncSupported(true);
    context.addServlet(holder, path);
  }

  private static HttpServlet withSessions() {
    var transport =
        HttpServletStreamableServerTransportProvider.builder().mcpEndpoint("/mcp").build();
    McpServer.sync(transport)
        .serverInfo("echo", "1.0.0")
        .toolCall(ECHO, (_, request) -> echo(request))
        .build();
    return transport;
  }

  private static HttpServlet withoutSessions() {
    var transport =
        HttpServletStatelessServerTransport.builder().messageEndpoint("/stateless").build();
    McpServer.sync(transport)
        .serverInfo("echo", "1.0.0")
        .toolCall(ECHO, (_, request) -> echo(request))
        .build();
    return transport;
  }

  private static McpSchema.CallToolResult echo(McpSchema.CallToolRequest request) {
    return McpSchema.CallToolResult.builder()
        .addTextContent(String.valueOf(request.arguments().get("text")))
        .build();
  }
}
