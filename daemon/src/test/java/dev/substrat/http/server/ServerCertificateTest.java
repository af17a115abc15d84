package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.platform.config.TlsFiles;
import dev.substrat.platform.log.CapturedLog;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.server.TlsDaemon;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.TestCertificateAuthority;
import dev.substrat.testkit.TestCertificateAuthority.IssuedCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Certificates and keys as files: which formats are accepted, and how mistakes are reported.
@Timeout(300)
final class ServerCertificateTest {
  @TempDir private static Path shared;
  private static TestCertificateAuthority authority;
  private static IssuedCertificate first;
  private static IssuedCertificate second;
  @TempDir private Path directory;

  @BeforeAll
  static void issue() {
    authority = new TestCertificateAuthority(shared);
    first = authority.issue("first", "EC");
    second = authority.issue("second", "EC");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void rsa_ec_and_ed25519_keys_are_accepted(String algorithm) {
    IssuedCertificate issued =
        authority.issue("kind-" + algorithm.toLowerCase(Locale.ROOT), algorithm);
    assertThat(ServerCertificate.read(files(issued)).isValidNow()).isTrue();
  }

  /// Format of older tools: the key itself, without PKCS#8.
  @ParameterizedTest
  @CsvSource({"RSA, RSA PRIVATE KEY", "EC, EC PRIVATE KEY"})
  void a_traditional_pem_key_is_accepted(String algorithm, String label) throws IOException {
    IssuedCertificate issued =
        authority.issue("old-" + algorithm.toLowerCase(Locale.ROOT), algorithm);
    String parameters = TestCertificateAuthority.pem("EC PARAMETERS", new byte[] {5, 0});
    Path key =
        write(
            "old.key", parameters + TestCertificateAuthority.pem(label, unwrapped(issued.pkcs8())));
    assertThat(ServerCertificate.read(new TlsFiles(issued.certificate(), key)).isValidNow())
        .isTrue();
  }

  /// Files that OpenSSL wrote (`ecparam -genkey`, `genrsa -traditional`), with all that it adds.
  @ParameterizedTest
  @ValueSource(strings = {"ec", "rsa"})
  void a_traditional_pem_key_of_openssl_is_accepted(String kind) {
    Path place = Path.of("src/test/resources/tls");
    var files = new TlsFiles(place.resolve(kind + ".crt"), place.resolve(kind + ".key"));
    assertThat(ServerCertificate.read(files).files()).isEqualTo(files);
  }

  /// The last part of PKCS#8 that is an octet string up to the end.
  private static byte[] unwrapped(byte[] pkcs8) {
    for (int at = 8; at < pkcs8.length - 4; at++) {
      int isLong = pkcs8[at + 1] & 0xff;
      int header = isLong < 0x80 ? 2 : 2 + (isLong & 0x7f);
      int length = isLong < 0x80 ? isLong : 0;
      for (int i = 2; i < header && i < 5; i++) {
        length = (length << 8) | (pkcs8[at + i] & 0xff);
      }
      if (pkcs8[at] == 4 && at + header + length == pkcs8.length) {
        return Arrays.copyOfRange(pkcs8, at + header, pkcs8.length);
      }
    }
    throw new IllegalArgumentException("not PKCS#8");
  }

  @Test
  void a_file_that_is_missing_is_named() {
    Path missing = directory.resolve("no.pem");
    refused(new TlsFiles(missing, first.key()), "file " + missing + " not found", "--tls-cert");
    refused(
        new TlsFiles(first.certificate(), missing), "file " + missing + " not found", "--tls-key");
    refused(new TlsFiles(directory, first.key()), "cannot read " + directory, "--tls-cert");
  }

  @Test
  void a_key_of_another_certificate_is_refused() {
    refused(
        new TlsFiles(first.certificate(), second.key()),
        "does not match the certificate",
        "use the key of that certificate");
    IssuedCertificate rsa = authority.issue("other", "RSA");
    refused(new TlsFiles(first.certificate(), rsa.key()), "does not match the certificate", "key");
    refused(new TlsFiles(rsa.certificate(), first.key()), "does not match the certificate", "key");
  }

  @Test
  void an_encrypted_key_is_refused_with_the_command_that_decrypts_it() throws IOException {
    Path modern =
        write("modern.key", TestCertificateAuthority.pem("ENCRYPTED PRIVATE KEY", first.pkcs8()));
    refused(new TlsFiles(first.certificate(), modern), "is encrypted", "openssl pkey -in");
    Path old =
        write(
            "old.key",
            """
            -----BEGIN RSA PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-256-CBC,00

            AAAA
            -----END RSA PRIVATE KEY-----
            """);
    refused(new TlsFiles(first.certificate(), old), "is encrypted", "openssl pkey -in");
  }

  @Test
  void files_without_the_right_contents_are_refused() throws IOException {
    refused(
        new TlsFiles(first.key(), first.key()),
        "has no certificate",
        "-----BEGIN CERTIFICATE-----");
    refused(
        new TlsFiles(first.certificate(), first.certificate()),
        "has no private key",
        "-----BEGIN PRIVATE KEY-----");
    Path garbage =
        write("garbage.pem", TestCertificateAuthority.pem("CERTIFICATE", new byte[] {1, 2, 3}));
    refused(new TlsFiles(garbage, first.key()), "certificate 1 in", "PEM");
    Path noBase64 =
        write("no64.pem", "-----BEGIN CERTIFICATE-----\n???\n-----END CERTIFICATE-----");
    refused(new TlsFiles(noBase64, first.key()), "is not base64", "copy the file again");
  }

  /// A truncated copy is rejected wherever it ends.
  @Test
  void a_file_that_ends_too_early_is_refused() throws IOException {
    String whole = Files.readString(first.certificate());
    int end = whole.indexOf("-----END");
    for (int length : new int[] {1, 20, 40, end / 2, end, end + 10}) {
      Path part = write("part.pem", whole.substring(0, length));
      assertThatExceptionOfType(Fault.class)
          .as("the first %d characters", length)
          .isThrownBy(() -> ServerCertificate.read(new TlsFiles(part, first.key())));
    }
  }

  @Test
  void an_expired_certificate_is_a_warning() {
    IssuedCertificate expired = authority.issueExpired("expired");
    try (var log = new CapturedLog();
        var daemon = TlsDaemon.with(authority, expired, directory.resolve("data"))) {
      assertThat(daemon.url()).startsWith("https://");
      Await.until(() -> log.all().contains("TLS certificate is expired or not yet valid"));
      assertThat(log.all()).contains(expired.certificate().toString());
    }
  }

  @Test
  void a_daemon_with_invalid_certificate_files_creates_no_data() {
    Path data = directory.resolve("data");
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() ->
            TlsDaemon.with(
                authority, new IssuedCertificate(first.certificate(), second.key(), ""), data));
    assertThat(data).doesNotExist();
  }

  @Test
  void a_renewed_certificate_is_used_and_a_half_written_one_is_not() throws IOException {
    Path certificate = directory.resolve("live.crt");
    Path key = directory.resolve("live.key");
    Files.copy(first.certificate(), certificate);
    Files.copy(first.key(), key);
    var live = new IssuedCertificate(certificate, key, "");
    try (var log = new CapturedLog();
        var daemon = TlsDaemon.with(authority, live, directory.resolve("data"))) {
      assertThat(serial(daemon)).isEqualTo(first.serial());

      String renewed = Files.readString(second.certificate());
      Files.writeString(certificate, renewed.substring(0, 200));
      Await.until(() ->
          log.all().contains("TLS certificate not reloaded; the old certificate stays in use"));
      assertThat(log.all()).contains("is incomplete");
      assertThat(serial(daemon)).isEqualTo(first.serial());

      Files.writeString(certificate, renewed);
      Await.until(() -> log.all().contains("does not match the certificate"));
      assertThat(serial(daemon)).as("its key has not arrived yet").isEqualTo(first.serial());

      Files.copy(second.key(), key, StandardCopyOption.REPLACE_EXISTING);
      Await.until(() -> serial(daemon).equals(second.serial()));
      assertThat(log.all()).contains("TLS certificate reloaded");
    }
  }

  /// The certificate that a client without history is shown.
  private static String serial(TlsDaemon daemon) {
    try (var client = authority.client()) {
      var request = HttpRequest.newBuilder(URI.create(daemon.url() + "/healthz")).build();
      var session = client.send(request, BodyHandlers.discarding()).sslSession().orElseThrow();
      return ((X509Certificate) session.getPeerCertificates()[0]).getSerialNumber().toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void refused(TlsFiles files, String message, String hint) {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> ServerCertificate.read(files))
        .satisfies(fault -> {
          assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
          assertThat(fault.message()).contains(message);
          assertThat(fault.hint()).contains(hint);
        });
  }

  private static TlsFiles files(IssuedCertificate issued) {
    return new TlsFiles(issued.certificate(), issued.key());
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }
}
