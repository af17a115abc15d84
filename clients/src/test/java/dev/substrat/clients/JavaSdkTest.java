package dev.substrat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Requirement;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.SubscribeRequest;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The official Java SDK as a client.
@Requirement("N3")
@Timeout(300)
final class JavaSdkTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path data;
  private McpClientFixture harbor;

  @BeforeEach
  void start() throws Exception {
    harbor = new McpClientFixture(data);
  }

  @AfterEach
  void stop() {
    harbor.close();
  }

  @Test
  void the_java_sdk_works_over_http() throws Exception {
    String token = harbor.token("ada");
    work(
        HttpClientStreamableHttpTransport.builder(harbor.url())
            .endpoint("/mcp")
            .openConnectionOnStartup(true)
            .customizeClient(client -> client.connectTimeout(LIMIT))
            .addHttpRequestCustomizer(
                (request, _, _, _, _) -> request.header("Authorization", "Bearer " + token))
            .build());
  }

  @Test
  void the_java_sdk_works_over_stdio() throws Exception {
    List<String> server = harbor.server("ada");
    var parameters =
        ServerParameters.builder(server.getFirst()).args(server.subList(1, server.size())).build();
    work(new StdioClientTransport(parameters, McpJsonDefaults.getMapper()));
  }

  private void work(McpClientTransport transport) throws Exception {
    var inbox = new CountDownLatch(1);
    try (McpSyncClient client =
        McpClient.sync(transport)
            .requestTimeout(LIMIT)
            .initializationTimeout(LIMIT)
            // Our tools list no output schemas, so the validator is not called.
            .jsonSchemaValidator(
                (_, _) -> ValidationResponse.asInvalid("not expected to be called"))
            .resourcesUpdateConsumer(_ -> inbox.countDown())
            .build()) {
      assertThat(client.initialize().serverInfo().name()).isEqualTo("substrat");
      client.ping();
      assertThat(client.listTools().tools())
          .extracting(Tool::name)
          .contains("send_message", "check_inbox", "spawn_agent");
      assertThat(client.listResources().resources())
          .extracting(Resource::uri)
          .contains("substrat://inbox");
      assertThat(client.getPrompt(GetPromptRequest.builder("be_this_agent").build()).messages())
          .hasSize(1);
      client.subscribeResource(SubscribeRequest.builder("substrat://inbox").build());

      harbor.write("ada", "look outside");

      assertThat(inbox.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(
              client
                  .readResource(ReadResourceRequest.builder("substrat://inbox").build())
                  .toString())
          .contains("look outside");
      var read = client.callTool(CallToolRequest.builder("check_inbox").build());
      assertThat(read.isError()).isFalse();
      assertThat(String.valueOf(read.structuredContent())).contains("look outside");
      var refused =
          client.callTool(
              CallToolRequest.builder("send_message")
                  .arguments(Map.of("text", "to whom?"))
                  .build());
      assertThat(refused.isError()).isTrue();
    }
  }
}
