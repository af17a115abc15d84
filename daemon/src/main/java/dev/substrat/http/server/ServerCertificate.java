package dev.substrat.http.server;

import dev.substrat.platform.config.TlsFiles;
import dev.substrat.protocol.ErrorCode;
import io.helidon.common.tls.Tls;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// TLS certificate chain of the daemon and its private key, read from PEM files.
///
/// Checks problems that would otherwise only appear as failed handshakes: that both files are
/// complete, and that the key belongs to the first certificate of the chain.
public final class ServerCertificate {
  private final TlsFiles files;
  private final PemText text;
  private final List<X509Certificate> chain;
  private final PrivateKey key;

  private ServerCertificate(
      TlsFiles files, PemText text, List<X509Certificate> chain, PrivateKey key) {
    this.files = files;
    this.text = text;
    this.chain = chain;
    this.key = key;
  }

  public static ServerCertificate read(TlsFiles files) {
    return parse(files, PemText.read(files));
  }

  static ServerCertificate parse(TlsFiles files, PemText text) {
    List<X509Certificate> chain = chain(files, text);
    PublicKey publicKey = chain.getFirst().getPublicKey();
    PrivateKey key = text.privateKey(files, publicKey);
    if (!isPair(publicKey, key)) {
      throw PemText.mismatch(files, null);
    }
    return new ServerCertificate(files, text, chain, key);
  }

  private static List<X509Certificate> chain(TlsFiles files, PemText text) {
    var chain = new ArrayList<X509Certificate>();
    try {
      var factory = CertificateFactory.getInstance("X.509");
      for (byte[] der : text.certificates(files)) {
        chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
      }
    } catch (CertificateException e) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "certificate %d in %s cannot be read: %s"
              .formatted(chain.size() + 1, files.certificate(), e.getMessage()),
          "--tls-cert must be a PEM file: the daemon's own certificate first, then the intermediate"
              + " ones",
          e);
    }
    return List.copyOf(chain);
  }

  private static boolean isPair(PublicKey publicKey, PrivateKey key) {
    String algorithm =
        switch (publicKey.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> publicKey.getAlgorithm();
        };
    try {
      byte[] sample = {1, 2, 3};
      var signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(sample);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(sample);
      return signature.verify(signed);
    } catch (GeneralSecurityException _) {
      // A key of another curve or size cannot be tried.
      return false;
    }
  }

  TlsFiles files() {
    return files;
  }

  PemText text() {
    return text;
  }

  Tls tls() {
    return Tls.builder().privateKey(key).privateKeyCertChain(chain).build();
  }

  boolean isValidNow() {
    try {
      chain.getFirst().checkValidity();
      return true;
    } catch (CertificateException _) {
      return false;
    }
  }

  Instant expires() {
    return chain.getFirst().getNotAfter().toInstant();
  }

  Instant begins() {
    return chain.getFirst().getNotBefore().toInstant();
  }
}
