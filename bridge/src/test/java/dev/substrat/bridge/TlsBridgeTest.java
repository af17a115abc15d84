package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.config.TlsFiles;
import dev.substrat.server.Daemon;
import dev.substrat.testkit.TestCertificateAuthority;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A bridge to a daemon that speaks HTTPS: it uses the Unix socket and needs no certificate.
@Timeout(300)
final class TlsBridgeTest {
  @Test
  void an_agent_has_its_tools_over_stdio(@TempDir Path directory) throws Exception {
    var authority = new TestCertificateAuthority(directory);
    var issued = authority.issue("server", "EC");
    Path data = directory.resolve("data");
    var settings =
        new DaemonSettings("127.0.0.1", 0, data, null, 2, "error", Set.of())
            .withTls(new TlsFiles(issued.certificate(), issued.key()));
    try (var daemon = Daemon.start(settings, Map.of())) {
      assertThat(daemon.url()).startsWith("https://");
      new OperatorClient(data, authority.client()).createsExternal("mira");
      try (var mira = BridgeProcess.start(data, "--agent", "mira")) {
        assertThat(mira.pipe().greet().at("/result/serverInfo/name").asText())
            .isEqualTo("substrat");
        mira.pipe().request(1, "tools/list", "{}");
        assertThat(mira.pipe().answer(1).at("/result/tools").findValuesAsText("name"))
            .contains("send_message");
      }
    }
  }
}
