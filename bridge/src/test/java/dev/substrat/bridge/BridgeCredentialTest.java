package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Creation of a token by a bridge without one.
@Timeout(300)
final class BridgeCredentialTest {
  @TempDir private Path data;

  @Test
  void a_zoo_token_is_created_once_with_the_operators_token() throws Exception {
    Files.writeString(data.resolve("operator.token"), "substrat_op_secret\n");
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(new BridgeOptions(data, null, null, null))) {
      for (int i = 0; i < 2; i++) {
        bridge.pipe().request(i, "tools/list", "{}");
        if (i == 0) {
          var options = daemon.next();
          assertThat(options.line()).isEqualTo("POST /api/tokens HTTP/1.1");
          assertThat(options.body()).isEqualTo("{\"zoo\":true}");
          assertThat(options.header("Authorization")).isEqualTo("Bearer substrat_op_secret");
          options.status(201, "{\"id\":\"z\",\"token\":\"substrat_z_secret\"}");
        }
        var list = daemon.next("tools/list");
        assertThat(list.header("Authorization")).isEqualTo("Bearer substrat_z_secret");
        list.answers("{}");
        bridge.pipe().answer(i);
      }
    }
    assertThat(data.resolve("zoo.token")).content().isEqualTo("substrat_z_secret\n");
  }

  @Test
  void without_an_operator_token_the_error_names_the_file() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(new BridgeOptions(data, "mira", null, null))) {
      bridge.pipe().say(McpPipe.INITIALIZE);
      assertThat(bridge.pipe().answer("i").at("/error/message").asText())
          .contains("operator.token", "--token-file");
      assertThat(daemon).isNotNull();
    }
  }
}
