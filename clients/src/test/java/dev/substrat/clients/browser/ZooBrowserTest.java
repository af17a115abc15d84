package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.substrat.clients.browser.Chromium.PageVariant;
import dev.substrat.testkit.Requirement;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// An agent is changed in the browser while a zoo client uses it.
@Timeout(300)
final class ZooBrowserTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @RegisterExtension private final BrowserTestFixture lookout = new BrowserTestFixture();
  private Chromium chromium;
  private RestartableDaemon pier;

  @BeforeEach
  void open() {
    chromium = lookout.chromium();
    pier = lookout.pier();
  }

  @Test
  @Requirement({"S2-2", "S2-20", "N3"})
  void the_next_inject_returns_what_was_saved_in_the_browser() throws Exception {
    pier.post(
        "/api/agents",
        """
        {"name":"Code Wizard","systemPrompt":"Be concise.",
         "skills":[{"name":"Types","description":"Prefer strict types."},
                   {"name":"Haste","description":"Hurry.","enabled":false}]}
        """);
    Page page = chromium.window(PageVariant.LIGHT);
    pier.admit(page);
    page.navigate(pier.url() + "/agents/code-wizard/edit");
    assertThat(page.locator("#connection")).hasText("Live");
    String token = pier.post("/api/tokens", "{\"zoo\":true}").path("token").asText();
    try (McpSyncClient ide = ide(token)) {
      ide.initialize();
      assertThat(injected(ide)).contains("Be concise.", "Prefer strict types.");
      assertThat(injected(ide)).doesNotContain("Hurry.", "Take your time.");

      page.locator("#systemPrompt").fill("Take your time.");
      page.locator("[data-skill-switch]").nth(1).click();
      page.locator("button[form=builder]").click();
      assertThat(page.locator("#toast")).isVisible();

      assertThat(injected(ide)).contains("Take your time.", "Prefer strict types.", "Hurry.");
      assertThat(injected(ide)).doesNotContain("Be concise.");
    }
    chromium.requireContent();
  }

  private McpSyncClient ide(String token) {
    var transport =
        HttpClientStreamableHttpTransport.builder(pier.url())
            .endpoint("/mcp")
            .customizeClient(client -> client.connectTimeout(LIMIT))
            .addHttpRequestCustomizer(
                (request, _, _, _, _) -> request.header("Authorization", "Bearer " + token))
            .build();
    return McpClient.sync(transport)
        .requestTimeout(LIMIT)
        .initializationTimeout(LIMIT)
        .jsonSchemaValidator((_, _) -> ValidationResponse.asInvalid("not expected to be called"))
        .build();
  }

  private static String injected(McpSyncClient ide) {
    var result =
        ide.callTool(
            CallToolRequest.builder("agent_zoo_inject")
                .arguments(Map.of("agentId", "code-wizard"))
                .build());
    assertThat(result.isError()).isFalse();
    return String.valueOf(result.structuredContent());
  }
}
