package dev.substrat.platform.config;

import dev.substrat.protocol.ErrorCode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// PEM files with the daemon's TLS certificate chain and the private key of its first certificate.
public record TlsFiles(Path certificate, Path key) {
  public TlsFiles {
    certificate = certificate.toAbsolutePath().normalize();
    key = key.toAbsolutePath().normalize();
  }

  /// Null if neither is set; one without the other is an error.
  static @Nullable TlsFiles of(@Nullable Path certificate, @Nullable Path key) {
    if (certificate == null && key == null) {
      return null;
    }
    if (certificate == null || key == null) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "TLS needs a certificate and its key, but the %s is missing"
              .formatted(key == null ? "key" : "certificate"),
          "set both: --tls-cert FILE --tls-key FILE, or tls: {cert: FILE, key: FILE} in"
              + " config.yaml");
    }
    return new TlsFiles(certificate, key);
  }
}
