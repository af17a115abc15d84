package dev.substrat.bench.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.ClientTimeouts;
import dev.substrat.http.server.HttpRouter;
import dev.substrat.http.server.HttpServer;
import dev.substrat.http.server.OriginCheck;
import dev.substrat.http.server.RequestPipeline;
import dev.substrat.http.server.TokenAuthenticator;
import dev.substrat.mcp.server.McpRoutes;
import dev.substrat.mcp.spi.CatalogChange;
import dev.substrat.mcp.spi.ChangeWatch;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.McpCatalog;
import dev.substrat.mcp.spi.McpCatalogSource;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.mcp.spi.ToolDefinitionList;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.LogLineFormatter;
import dev.substrat.platform.telemetry.Telemetry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Our MCP server with an echo tool and without records. The tool exists twice: without
/// annotations, and with `readOnlyHint`.
final class EchoServer {
  private EchoServer() {}

  public static void main(String... args) throws InterruptedException {
    LogLineFormatter.install("warn");
    var routes = new McpRoutes(new EchoCatalog(), "1", InstantSource.system()).routes();
    var listener =
        new RequestPipeline(
            new HttpRouter(routes),
            new OriginCheck(Set.of()),
            new AllowAllAuthenticator(),
            Telemetry.withoutExport(),
            ClientTimeouts.DEFAULT);
    try (var server = HttpServer.start("127.0.0.1", 0, Path.of(args[0]), listener)) {
      System.out.println("ready http://127.0.0.1:" + server.port());
      Thread.currentThread().join();
    }
  }

  private static final class AllowAllAuthenticator implements TokenAuthenticator {
    @Override
    public Optional<CallerPermissions> authenticate(String token) {
      return anonymous();
    }

    @Override
    public Optional<CallerPermissions> anonymous() {
      return Optional.of(new CallerPermissions(new Principal.OperatorPrincipal()));
    }
  }

  private static final class EchoCatalog implements McpCatalogSource, McpCatalog {
    @Override
    public McpCatalog catalogOf(Principal principal, @Nullable String idempotencyKey) {
      return this;
    }

    /// All clients are the same principal.
    @Override
    public void require(Principal principal, String claimed) {}

    @Override
    public ToolDefinitionList tools() {
      var read = card("read");
      read.putObject("annotations").put("readOnlyHint", true);
      return new ToolDefinitionList(List.of(card("echo"), read));
    }

    private static ObjectNode card(String name) {
      var card = Json.object().put("name", name).put("description", "Says it again.");
      card.putObject("inputSchema").put("type", "object");
      return card;
    }

    @Override
    public McpOutcome call(String tool, ObjectNode arguments, ClientChannel contact) {
      var result = Json.object();
      result
          .putArray("content")
          .addObject()
          .put("type", "text")
          .put("text", arguments.path("text").asText());
      return new McpOutcome.CompleteResult(result);
    }

    @Override
    public ChangeWatch watch(Principal principal) {
      return new NoChangeWatch();
    }

    @Override
    public String instructions(Principal principal) {
      return "Call echo.";
    }
  }

  /// Nothing changes, so there are no notifications.
  private static final class NoChangeWatch implements ChangeWatch {
    @Override
    public Set<CatalogChange> next(Duration longest) throws InterruptedException {
      Thread.sleep(longest);
      return Set.of();
    }

    @Override
    public void close() {}
  }
}
