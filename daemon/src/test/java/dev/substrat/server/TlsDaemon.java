package dev.substrat.server;

import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.config.TlsFiles;
import dev.substrat.testkit.TestCertificateAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/// A daemon in this JVM with a certificate of a test authority.
public final class TlsDaemon implements AutoCloseable {
  private final TestCertificateAuthority authority;
  private final Path data;
  private final Daemon daemon;

  private TlsDaemon(TestCertificateAuthority authority, DaemonSettings settings) {
    this.authority = authority;
    this.data = settings.data();
    this.daemon = Daemon.start(settings, Map.of());
  }

  public static TlsDaemon with(
      TestCertificateAuthority authority,
      TestCertificateAuthority.IssuedCertificate issued,
      Path data) {
    return new TlsDaemon(authority, settings(issued, data));
  }

  private static DaemonSettings settings(
      TestCertificateAuthority.IssuedCertificate issued, Path data) {
    return new DaemonSettings("127.0.0.1", 0, data, null, 2, "info", Set.of())
        .withTls(new TlsFiles(issued.certificate(), issued.key()));
  }

  public String url() {
    return daemon.url();
  }

  public String read(String file) {
    try {
      return Files.readString(data.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public TestClient operator() {
    return as(read("operator.token").strip());
  }

  /// A client of its own connections that trusts the authority.
  public TestClient as(String token) {
    return new TestClient(url(), token, authority.client());
  }

  @Override
  public void close() {
    daemon.close();
  }
}
