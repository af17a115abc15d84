package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.substrat.cli.terminal.CommandEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands reach a daemon on another machine by its URL, with a token and without its files.
final class RemoteDaemonTest {
  private static final String STATUS =
      """
      {"version":"9","pid":7,"url":"http://far.example:7420","database":"sqlite","agents":3,
       "startedAt":"2026-01-01T00:00:00Z","slots":{"total":4,"busy":1},"lastEvent":12}\
      """;

  @TempDir private Path folder;
  private PlayedDaemon daemon;
  private String url;

  @BeforeEach
  void start() throws IOException {
    daemon = new PlayedDaemon(folder);
    daemon.answers("GET /api/status", 200, STATUS);
    daemon.answers("POST /api/shutdown", 202, "{\"status\":\"stopping\"}");
    url = Files.readString(folder.resolve("daemon.json")).replaceAll(".*\"(http:[^\"]*)\".*", "$1");
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  @Test
  void environment_variables_set_url_and_token() {
    Ran ran =
        Ran.of(
            machine(Map.of("SUBSTRAT_URL", url + "/", "SUBSTRAT_TOKEN", PlayedDaemon.TOKEN)),
            "status");

    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).contains("version 9", "1 of 4 busy");
  }

  @Test
  void options_override_environment_variables() throws IOException {
    Path file = Files.writeString(folder.resolve("token"), PlayedDaemon.TOKEN + "\n");
    CommandEnvironment wrong =
        machine(Map.of("SUBSTRAT_URL", "http://127.0.0.1:1", "SUBSTRAT_TOKEN", "substrat_x_y"));

    assertThat(Ran.of(wrong, "--url", url, "--token", PlayedDaemon.TOKEN, "status").code())
        .isZero();
    assertThat(Ran.of(wrong, "status", "--url=" + url, "--token-file", file.toString()).code())
        .isZero();
    assertThat(Ran.of(wrong, "status", "--data", folder.toString()).code())
        .as("--data overrides SUBSTRAT_URL")
        .isZero();
  }

  @Test
  void missing_or_invalid_settings_are_named() {
    CommandEnvironment nothing = machine(Map.of());

    assertThat(Ran.of(nothing, "status", "--url", url).err())
        .contains("UNAUTHORIZED: there is no token for " + url, "SUBSTRAT_TOKEN", "--token-file");
    assertThat(Ran.of(nothing, "status", "--url", url, "--token", "substrat_x_y").err())
        .contains("the token in --token is not valid for this daemon", "token create --person")
        .doesNotContain("act as the operator");
    assertThat(Ran.of(nothing, "status", "--url", "team.example", "--token", "t").err())
        .contains("INVALID_ARGUMENTS: --url is not the URL of a daemon: \"team.example\"");
    assertThat(Ran.of(nothing, "status", "--url", "http://127.0.0.1:1", "--token", "t").err())
        .contains("DAEMON_UNREACHABLE: nothing answers at http://127.0.0.1:1", "check the URL");
    assertThat(Ran.of(nothing, "status", "--url", "http://nowhere.invalid", "--token", "t").err())
        .contains("warning: the token is sent unencrypted", "cannot resolve the host");
    assertThat(Ran.of(nothing, "status", "--url", url, "--token-file", "/no/such/file").err())
        .contains("cannot read --token-file /no/such/file");
  }

  @Test
  void stop_does_not_wait_for_a_process_on_another_machine() {
    Ran ran = Ran.of(machine(Map.of()), "stop", "--url", url, "--token", PlayedDaemon.TOKEN);

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("the daemon at " + url + " is stopping");
  }

  @Test
  void a_command_that_needs_local_files_says_so() {
    assertThat(Ran.of(machine(Map.of()), "connect", "--url", url).err())
        .contains("connect works only with a daemon on this machine", "data directory");
    assertThat(Ran.of(machine(Map.of()), "doctor", "--url", url).err())
        .contains("doctor works only with a daemon on this machine");
  }

  @Test
  void https_works_with_a_trusted_certificate_of_that_host_only() throws Exception {
    SSLContext before = SSLContext.getDefault();
    SSLContext ours = context(certificate("ip:127.0.0.1"));
    try (var server = new SecureServer(ours)) {
      String secure = "https://127.0.0.1:" + server.port();
      String[] status = {"status", "--url", secure, "--token", "t"};
      assertThat(Ran.of(machine(Map.of()), status).err())
          .contains("DAEMON_UNREACHABLE: TLS connection to " + secure, "certificate");

      SSLContext.setDefault(ours);

      Ran ran = Ran.of(machine(Map.of()), status);
      assertThat(ran.err()).isEmpty();
      assertThat(ran.out()).contains("version 9");
    } finally {
      SSLContext.setDefault(before);
    }
    SSLContext others = context(certificate("dns:other.example"));
    SSLContext.setDefault(others);
    try (var server = new SecureServer(others)) {
      assertThat(
              Ran.of(
                      machine(Map.of()),
                      "status",
                      "--url",
                      "https://127.0.0.1:" + server.port(),
                      "--token",
                      "t")
                  .err())
          .contains("TLS connection to");
    } finally {
      SSLContext.setDefault(before);
    }
  }

  private CommandEnvironment machine(Map<String, String> environment) {
    var here = CommandEnvironment.current();
    return new CommandEnvironment(environment, here.home(), ".", here.kind());
  }

  /// A key store with a self-signed certificate.
  private Path certificate(String name) throws Exception {
    Path store = folder.resolve(name.replace(':', '-') + ".p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var process =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "daemon",
                "-keyalg",
                "EC",
                "-dname",
                "CN=daemon",
                "-ext",
                "san=" + name,
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                "password")
            .redirectErrorStream(true)
            .start();
    try (InputStream said = process.getInputStream()) {
      String text = new String(said.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(text).isZero();
    }
    return store;
  }

  /// A context with this certificate that trusts no other.
  private static SSLContext context(Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance(store.toFile(), "password".toCharArray());
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, "password".toCharArray());
    var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    var context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  /// Answers every request with a status.
  private static final class SecureServer implements AutoCloseable {
    private final HttpsServer server;

    SecureServer(SSLContext context) throws IOException {
      server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(context));
      server.createContext(
          "/",
          exchange -> {
            try (exchange) {
              exchange.sendResponseHeaders(200, 0);
              exchange.getResponseBody().write(STATUS.getBytes(StandardCharsets.UTF_8));
            }
          });
      server.start();
    }

    int port() {
      return server.getAddress().getPort();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
