package dev.substrat.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Certificate authority for tests: issues server certificates for localhost and 127.0.0.1 with the
/// JDK's `keytool`, and makes clients that trust nothing else.
public final class TestCertificateAuthority {
  private static final String PASSWORD = "password";
  private static final String AUTHORITY = "authority";
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Path directory;
  private final Path store;

  /// Keeps its files in `directory`.
  public TestCertificateAuthority(Path directory) {
    this.directory = directory;
    this.store = directory.resolve("authority.p12");
    keytool("-genkeypair", "-alias", AUTHORITY, "-keyalg", "EC", "-dname", "CN=Test CA")
        .with("-ext", "bc:c", "-validity", "30")
        .run();
  }

  /// A certificate chain and its private key, as PEM texts in files.
  public record IssuedCertificate(Path certificate, Path key, String serial) {
    /// The private key as it is in its file, without the lines around it.
    public byte[] pkcs8() {
      try {
        return Base64.getMimeDecoder().decode(Files.readString(key).replaceAll("-----.*-----", ""));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /// Issues a certificate; `name` names its files. `algorithm` is RSA, EC or Ed25519.
  public IssuedCertificate issue(String name, String algorithm) {
    return issue(name, algorithm, "-validity", "30");
  }

  /// A certificate that was valid for a day, until a week ago.
  public IssuedCertificate issueExpired(String name) {
    return issue(name, "EC", "-startdate", "-8d", "-validity", "1");
  }

  private IssuedCertificate issue(String name, String algorithm, String... validity) {
    keytool("-genkeypair", "-alias", name, "-keyalg", algorithm, "-signer", AUTHORITY)
        .with("-dname", "CN=" + name, "-ext", "san=dns:localhost,ip:127.0.0.1")
        .with(validity)
        .run();
    try {
      KeyStore keys = load();
      Certificate[] chain = keys.getCertificateChain(name);
      var pem = new StringBuilder();
      for (Certificate one : chain) {
        pem.append(pem("CERTIFICATE", one.getEncoded()));
      }
      byte[] key = keys.getKey(name, PASSWORD.toCharArray()).getEncoded();
      return new IssuedCertificate(
          Files.writeString(directory.resolve(name + ".crt"), pem),
          Files.writeString(directory.resolve(name + ".key"), pem("PRIVATE KEY", key)),
          ((X509Certificate) chain[0]).getSerialNumber().toString());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String pem(String label, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label);
  }

  /// A client that trusts this authority and no other.
  public HttpClient client() {
    try {
      var trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(AUTHORITY, load().getCertificate(AUTHORITY));
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      var context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return HttpClient.newBuilder().sslContext(context).connectTimeout(LIMIT).build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private KeyStore load() throws GeneralSecurityException, IOException {
    var keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private KeytoolCommand keytool(String... words) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    Collections.addAll(command, words);
    Collections.addAll(command, "-keystore", store.toString(), "-storepass", PASSWORD);
    return new KeytoolCommand(command);
  }

  private record KeytoolCommand(List<String> words) {
    KeytoolCommand with(String... more) {
      Collections.addAll(words, more);
      return this;
    }

    void run() {
      try {
        var process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
          throw new IllegalStateException(said);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
