package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Requirement("N7")
final class TokenRoutesTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void rotating_the_operators_token_rewrites_its_file() throws IOException {
    String old = daemon.token();
    var rotated = daemon.post("/api/tokens/" + id(old) + "/rotate", "{}");

    assertThat(rotated.status()).isEqualTo(201);
    assertThat(daemon.read("operator.token").strip()).isEqualTo(rotated.text("token"));
    var mode = Files.getPosixFilePermissions(daemon.data().resolve("operator.token"));
    assertThat(PosixFilePermissions.toString(mode)).isEqualTo("rw-------");
    assertThat(daemon.get("/api/tokens").status()).isEqualTo(401);
    try (var client = daemon.as(rotated.text("token"))) {
      assertThat(client.get("/api/tokens").status()).isEqualTo(200);
    }
  }

  @Test
  void rotating_another_token_leaves_the_file_alone() {
    String other = daemon.post("/api/tokens", "{\"label\":\"cron\"}").text("token");
    daemon.post("/api/tokens/" + id(other) + "/rotate", "{\"graceSeconds\":60}");

    assertThat(daemon.read("operator.token").strip()).isEqualTo(daemon.token());
    try (var client = daemon.as(other)) {
      assertThat(client.get("/api/tokens").status()).as("in its grace").isEqualTo(200);
    }
  }

  @Test
  void invalid_token_requests_are_rejected() {
    String path = "/api/tokens/" + id(daemon.token()) + "/rotate";
    assertThat(daemon.post(path, "{\"graceSeconds\":3601}").status()).isEqualTo(400);
    assertThat(daemon.post(path, "{\"graceSeconds\":-1}").status()).isEqualTo(400);
    assertThat(daemon.post(path, "{\"grace\":1}").status()).isEqualTo(400);
    assertThat(daemon.post("/api/tokens/nonsense/rotate", "{}").status()).isEqualTo(404);
    assertThat(daemon.get("/api/tokens").status()).isEqualTo(200);
  }

  @Test
  void the_list_of_tokens_is_paged() {
    for (int i = 0; i < 4; i++) {
      daemon.post("/api/tokens", "{\"label\":\"" + i + "\"}");
    }
    var first = daemon.get("/api/tokens?limit=3").body();
    var second = daemon.get("/api/tokens?limit=3&after=" + first.path("next").asText()).body();

    assertThat(first.path("tokens")).hasSize(3);
    assertThat(second.path("tokens")).hasSize(2);
    assertThat(second.has("next")).isFalse();
    assertThat(second.path("tokens").get(1).path("label").asText()).isEqualTo("3");
  }

  @Test
  void token_events_do_not_contain_tokens() {
    daemon.createAgent("ada", "[]");
    String minted = daemon.post("/api/agents/ada/tokens", "{\"label\":\"laptop\"}").text("token");
    String rotated = daemon.post("/api/tokens/" + id(minted) + "/rotate", "{}").text("token");
    daemon.delete("/api/tokens/" + id(rotated));
    daemon.delete("/api/tokens/" + id(rotated));

    try (var reader =
        new EventReader(daemon.url() + "/api/events?after=0&agent=ada", daemon.token())) {
      assertThat(reader.event("token_minted").data().toString())
          .contains(id(minted), "laptop")
          .doesNotContain(minted);
      assertThat(reader.event("token_rotated").data().toString())
          .contains(id(minted), id(rotated))
          .doesNotContain(rotated);
      assertThat(reader.event("token_revoked").data().toString()).contains(id(rotated));
    }
  }

  private static String id(String token) {
    return token.split("_", 3)[1];
  }
}
