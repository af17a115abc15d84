package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tools that create images.
@OnEveryDatabase
final class ImageToolTest {
  /// The smallest PNG there is: one pixel.
  private static final String PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  private final CustomToolTeam team;

  ImageToolTest(TestDatabase kind) {
    this.team = new CustomToolTeam(kind.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private Agent painter() {
    Agent ada =
        team.external(
            """
            - name: draw
              description: Draws.
              executionType: gateway
              execution: { provider: dall-e, model: dall-e-3, size: 1024x1024, quality: hd,
                baseUrl: SERVICE/v1, apiKey: "${env.KEY}" }
            """);
    team.space("lab", ada);
    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
    return ada;
  }

  private void sends(String image) {
    team.service.answers(
        "/v1/images/generations", 200, "application/json", "{\"data\":[" + image + "]}");
  }

  @Test
  @Requirement("S3-18")
  void an_image_is_created_stored_and_shown_in_the_agents_space() {
    Agent ada = painter();
    sends("{\"b64_json\":\"" + PNG + "\",\"revised_prompt\":\"a boat at sea\"}");
    JsonNode result = team.call(ada, "draw", "{'prompt': 'a boat'}");
    assertThat(result.path("mediaType").asText()).isEqualTo("image/png");
    assertThat(result.path("revisedPrompt").asText()).isEqualTo("a boat at sea");
    FakeService.Request sent = team.service.last();
    assertThat(sent.headers()).containsEntry("authorization", "Bearer " + CustomToolTeam.SECRET);
    assertThat(Json.own(sent.body()))
        .isEqualTo(
            Json.own(
                """
                {"prompt":"a boat","n":1,"model":"dall-e-3","response_format":"b64_json",
                 "size":"1024x1024","quality":"hd"}
                """));
    var kept =
        team.engine
            .customTools()
            .attachments()
            .find(new Principal.OperatorPrincipal(), result.path("attachmentId").asText())
            .orElseThrow();
    assertThat(kept.content()).isEqualTo(Base64.getDecoder().decode(PNG));
    assertThat(kept.space()).isEqualTo("lab");
    assertThat(CustomToolTeam.metadata(team.shown("lab").getFirst()).at("/output/url").asText())
        .isEqualTo("/api/attachments/" + result.path("attachmentId").asText());
  }

  @Test
  @Requirement("S3-18")
  void without_a_key_the_call_fails_and_names_the_variable() {
    Agent ada =
        team.external(
            """
            - name: draw
              executionType: gateway
              execution: { provider: dall-e, model: dall-e-3, size: 1024x1024, quality: hd }
            """);
    JsonNode failed = team.call(ada, "draw", "{'prompt': 'a boat'}");
    assertThat(failed.path("code").asText()).isEqualTo("INVALID_CONFIG");
    assertThat(failed.path("message").asText())
        .contains("no API key is configured for the image service dall-e");
    assertThat(failed.path("hint").asText()).contains("OPENAI_API_KEY");
  }

  @Test
  @Requirement("S3-18")
  void the_default_key_is_used_only_if_its_variable_is_allowed() throws IOException {
    var config =
        """
        - name: draw
          executionType: gateway
          execution: { provider: openai, model: dall-e-3 }
        """;
    try (var other =
        new CustomToolTeam(Dialect.SQLITE, Map.of("OPENAI_API_KEY", CustomToolTeam.SECRET))) {
      Agent ada = other.external(config);
      JsonNode failed = other.call(ada, "draw", "{'prompt': 'a boat'}");
      assertThat(failed.path("code").asText()).isEqualTo("INVALID_CONFIG");
      assertThat(failed.path("hint").asText()).contains("--allow-env OPENAI_API_KEY");
      assertThat(other.engine.customTools().warnings(ada.config()))
          .anySatisfy(warning -> assertThat(warning).contains("--allow-env OPENAI_API_KEY"));
    }
  }

  @Test
  @Requirement("S3-18")
  void the_default_key_is_sent_only_to_the_default_url() throws IOException {
    try (var other =
        new CustomToolTeam(Dialect.SQLITE, Map.of("OPENAI_API_KEY", CustomToolTeam.SECRET))) {
      Agent ada =
          other.external(
              """
              - name: draw
                executionType: gateway
                execution: { provider: openai, model: dall-e-3, baseUrl: SERVICE/v1 }
              """);
      other.service.answers("/v1/images/generations", 200, "application/json", "{}");
      other.call(ada, "draw", "{'prompt': 'a boat'}");
      assertThat(other.service.last().headers()).doesNotContainKey("authorization");
    }
  }

  @Test
  @Requirement("S3-18")
  void an_invalid_or_missing_image_is_a_failure() {
    Agent ada = painter();
    sends("{\"b64_json\":\"PHNjcmlwdD4=\"}");
    assertThat(team.call(ada, "draw", "{}").path("message").asText()).contains("not an image");
    sends("{}");
    assertThat(team.call(ada, "draw", "{}").path("code").asText()).isEqualTo("UPSTREAM_ERROR");
    sends("{\"url\":\"http://10.0.0.1/x.png\"}");
    assertThat(team.call(ada, "draw", "{}").path("code").asText()).isEqualTo("ADDRESS_BLOCKED");
    team.service.answers("/v1/images/generations", 429, "text/plain", "slow down");
    assertThat(team.call(ada, "draw", "{}").path("status").asInt()).isEqualTo(429);
  }
}
