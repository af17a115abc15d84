package dev.substrat.http.server;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.Fault;
import io.helidon.common.tls.Tls;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reloads the TLS certificate when its files have changed.
///
/// It compares the contents every two seconds: file system notifications miss files that are
/// replaced through symbolic links, as Kubernetes and certbot do. Incomplete files, or a
/// certificate without its matching key, are ignored until they are complete.
final class CertificateReloader implements AutoCloseable {
  private static final Log LOG = Log.of(CertificateReloader.class);
  private static final Duration CHECK_EVERY = Duration.ofSeconds(2);

  private final Consumer<Tls> server;
  private final Thread thread;
  // Only the thread uses these, once it has started.
  private ServerCertificate current;
  private PemText seen;
  private String problem = "";
  private @Nullable ServerCertificate doubted;

  private CertificateReloader(ServerCertificate first, Consumer<Tls> server) {
    this.server = server;
    this.current = first;
    this.seen = first.text();
    this.thread = Thread.ofVirtual().name("certificate").unstarted(this::watch);
  }

  static CertificateReloader start(ServerCertificate first, Consumer<Tls> server) {
    var reloader = new CertificateReloader(first, server);
    reloader.thread.start();
    return reloader;
  }

  private void watch() {
    try {
      while (true) {
        warnIfInvalid();
        Thread.sleep(CHECK_EVERY);
        check();
      }
    } catch (InterruptedException _) {
      // The daemon stops.
    }
  }

  private void check() {
    try {
      PemText now = PemText.read(current.files());
      problem = "";
      if (!now.equals(seen)) {
        seen = now;
        var renewed = ServerCertificate.parse(current.files(), now);
        server.accept(renewed.tls());
        current = renewed;
        LOG.info("TLS certificate reloaded", "expires", renewed.expires());
      }
    } catch (Fault fault) {
      // Logged once, not every two seconds.
      if (!fault.message().equals(problem)) {
        problem = fault.message();
        LOG.warn("TLS certificate not reloaded, the old one stays", "reason", problem);
      }
    } catch (RuntimeException e) {
      LOG.error("TLS certificate not reloaded, the old one stays", e);
    }
  }

  private void warnIfInvalid() {
    if (current != doubted && !current.isValidNow()) {
      doubted = current;
      LOG.warn(
          "TLS certificate is not valid now, clients will refuse it",
          "file",
          current.files().certificate(),
          "begins",
          current.begins(),
          "expires",
          current.expires());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
