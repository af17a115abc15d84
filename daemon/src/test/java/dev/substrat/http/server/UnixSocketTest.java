package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.platform.sandbox.SandboxUser;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The Unix socket of the daemon, which only its owner can open.
@Requirement("S1-4")
@Timeout(300)
final class UnixSocketTest {
  /// The group is that of the sandbox user, if the daemon is root: agent CLIs call their tools
  /// here.
  private static final String SOCKET = SandboxUser.isDaemonRoot() ? "rw-rw----" : "rw-------";

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);

  @AfterEach
  void clean() throws IOException {
    place.close();
  }

  @Test
  void the_same_api_answers_on_the_socket() throws IOException {
    try (var daemon = TestDaemon.on(place)) {
      Path socket = socket(daemon);
      assertThat(talk(socket, "GET /healthz", "")).contains(" 200 ", "{\"status\":\"ok\"}");
      assertThat(talk(socket, "GET /api/agents", "")).contains(" 401 ", "UNAUTHORIZED");
      assertThat(talk(socket, "POST /api/agents", daemon.token(), "{\"name\": \"ada\"}"))
          .contains(" 201 ", "\"handle\":\"ada\"");
      assertThat(daemon.get("/api/agents/ada").status()).isEqualTo(200);
      assertThat(daemon.get("/api/status").text("socket")).isEqualTo(socket.toString());
      assertThat(talk(socket, "POST /api/agents", daemon.token(), "{")).contains(" 400 ");
      assertThat(talk(socket, "GET /api/nothing", daemon.token())).contains(" 404 ");
    }
  }

  /// Clients of the socket need a token, too.
  @Test
  @Requirement("N7")
  void the_socket_requires_a_token_too() throws IOException {
    try (var daemon = TestDaemon.on(place)) {
      Path socket = socket(daemon);
      daemon.post("/api/agents", "{\"name\":\"mira\",\"provider\":{\"name\":\"external\"}}");
      daemon.post(
          "/api/agents",
          "{\"name\":\"ada\",\"parent\":\"mira\",\"provider\":{\"name\":\"external\"}}");
      String ada = daemon.post("/api/agents/ada/tokens", "{}").text("token");
      String mira = daemon.post("/api/agents/mira/tokens", "{}").text("token");
      String swapped = "substrat_" + mira.split("_", 3)[1] + "_" + ada.split("_", 3)[2];
      String send =
          """
          {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_message",
           "arguments":{"recipient":"mira","text":"hi"},"_meta":{"agent":"mira"}}}\
          """;

      assertThat(talk(socket, "GET /api/agents/mira", ada)).contains(" 403 ");
      assertThat(talk(socket, "POST /mcp", swapped, send)).contains(" 401 ");
      assertThat(talk(socket, "POST /mcp?agent=mira", ada, send)).contains(" 200 ");
      assertThat(daemon.get("/api/agents/mira/activity").body().toString())
          .contains("\"from\":\"ada\"");
      daemon.delete("/api/tokens/" + ada.split("_", 3)[1]);
      assertThat(talk(socket, "POST /mcp", ada, send)).contains(" 401 ");
    }
  }

  @Test
  void only_the_daemons_user_can_open_the_socket() throws IOException {
    try (var daemon = TestDaemon.on(place)) {
      assertThat(mode(socket(daemon))).isEqualTo(SOCKET);
      assertThat(mode(daemon.data().resolve("operator.token"))).isEqualTo("rw-------");
    }
  }

  @Test
  void the_socket_is_deleted_when_the_daemon_stops() throws IOException {
    Path socket;
    try (var daemon = TestDaemon.on(place)) {
      socket = socket(daemon);
    }
    assertThat(socket).doesNotExist();
    assertThat(place.directory().resolve("daemon.json")).doesNotExist();
  }

  @Test
  void a_socket_left_by_a_dead_daemon_is_replaced() throws IOException {
    Files.writeString(place.directory().resolve("daemon.sock"), "left behind");
    try (var daemon = TestDaemon.on(place)) {
      assertThat(talk(socket(daemon), "GET /healthz", "")).contains(" 200 ");
    }
  }

  /// The kernel takes 108 bytes for a socket's path; data directories may be deeper.
  @Test
  void a_deep_data_directory_still_has_a_socket() throws IOException {
    Path deep = place.directory().resolve("a".repeat(100)).resolve("\u00fc".repeat(60));
    Path socket;
    try (var daemon = TestDaemon.on(place, deep, Map.of())) {
      socket = socket(daemon);
      assertThat(socket.toString().length()).isLessThan(108);
      assertThat(mode(socket)).isEqualTo(SOCKET);
      assertThat(mode(socket.resolveSibling(""))).isEqualTo("rwx------");
      assertThat(talk(socket, "GET /api/agents", daemon.token())).contains(" 200 ");
    }
    assertThat(socket.getParent()).doesNotExist();
  }

  private static Path socket(TestDaemon daemon) {
    return Path.of(Json.own(daemon.read("daemon.json")).path("socket").asText());
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static String talk(Path socket, String line, String token, String... body)
      throws IOException {
    String content = String.join("", body);
    String request =
        line
            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
            + content.length()
            + (token.isEmpty() ? "" : "\r\nAuthorization: Bearer " + token)
            + "\r\n\r\n"
            + content;
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
      var reply = new ByteArrayOutputStream();
      Channels.newInputStream(channel).transferTo(reply);
      return reply.toString(StandardCharsets.UTF_8);
    }
  }
}
