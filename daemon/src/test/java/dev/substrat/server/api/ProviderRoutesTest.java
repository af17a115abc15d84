package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Providers on this machine and their state.
@Timeout(300)
final class ProviderRoutesTest {
  private TestDatabase place;
  private TestDaemon daemon;

  @BeforeEach
  void start() {
    place = TestDatabase.fresh(Dialect.SQLITE);
    daemon = TestDaemon.on(place);
  }

  @AfterEach
  void stop() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  @Requirement({"S1-1", "S0-33"})
  void each_provider_reports_its_availability() {
    JsonNode providers = daemon.get("/api/providers").body().path("providers");

    assertThat(providers.findValuesAsText("name"))
        .contains("scripted", "external", "claude", "codex", "cursor-agent", "gemini-cli", "goose")
        .isSorted();
    assertThat(providers)
        .allSatisfy(one -> {
          assertThat(one.path("state").asText()).isIn(List.of("ready", "missing", "needs_login"));
        });
  }

  @Test
  void agents_without_key_or_login_are_listed() throws IOException {
    String ada =
        daemon
            .post(
                "/api/agents",
                """
                {"name":"ada","provider":{"name":"codex","command":["true"]}}
                """)
            .text("id");
    daemon.post(
        "/api/agents",
        """
        {"name":"ben","provider":{"name":"codex","command":["true"],"baseUrl":"http://127.0.0.1:9"}}
        """);

    assertThat(agents("codex", "withoutLogin")).containsExactly("ada");
    assertThat(agents("codex", "agentsWithOwn")).containsExactly("ada", "ben");
    assertThat(agents("codex", "agents")).isEmpty();
    Path home = place.directory().resolve("minds").resolve(ada).resolve("codex");
    Files.createDirectories(home);
    Files.writeString(home.resolve("auth.json"), "{}");
    assertThat(agents("codex", "withoutLogin")).isEmpty();
  }

  private List<String> agents(String provider, String key) {
    return daemon
        .get("/api/providers")
        .body()
        .path("providers")
        .valueStream()
        .filter(one -> one.path("name").asText().equals(provider))
        .flatMap(one -> one.path(key).valueStream())
        .map(JsonNode::asText)
        .toList();
  }

  @Test
  void a_provider_whose_program_is_missing_is_rejected() {
    var answer =
        daemon.post(
            "/api/agents",
            """
            {"name":"ada","provider":{"name":"goose","command":["/nowhere/goose"]}}
            """);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text("message")).contains("program not found: /nowhere/goose");
  }
}
