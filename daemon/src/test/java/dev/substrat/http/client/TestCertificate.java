package dev.substrat.http.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/// Key and certificate for one host name, and a client configuration that trusts it.
final class TestCertificate {
  private static final char[] PASSWORD = "password".toCharArray();

  private final Path file;

  TestCertificate(Path file) {
    this.file = file;
  }

  static TestCertificate create(Path directory, String name)
      throws IOException, InterruptedException {
    Path file = directory.resolve(name + ".p12");
    var keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "key",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:" + name,
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .inheritIO()
            .start();
    if (!keytool.waitFor(120, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      throw new AssertionError("keytool made no key");
    }
    return new TestCertificate(file);
  }

  /// For the server that has the key.
  ServerSocketFactory serving() {
    try {
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store(), PASSWORD);
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context.getServerSocketFactory();
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  /// For clients that trust only this certificate.
  SSLSocketFactory trusting() {
    try {
      var trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("ca", store().getCertificate("key"));
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  private KeyStore store() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return store;
  }
}
