package dev.substrat.http.server;

import dev.substrat.platform.config.TlsFiles;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Contents of a certificate file and a key file in PEM (RFC 7468).
///
/// Two are equal if the files have not changed.
record PemText(String certificate, String key) {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
  private static final String BEGIN = "-----BEGIN ";
  private static final long MAX_SIZE = 1024 * 1024;

  private record PemBlock(String label, String body) {
    byte[] der(Path file) {
      try {
        return Base64.getDecoder().decode(body.replaceAll("\\s", ""));
      } catch (IllegalArgumentException e) {
        throw invalid(
            file + " is damaged: its " + label + " is not base64", "copy the file again", e);
      }
    }
  }

  static PemText read(TlsFiles files) {
    return new PemText(read(files.certificate(), "--tls-cert"), read(files.key(), "--tls-key"));
  }

  private static String read(Path file, String option) {
    String hint = "check " + option + " (tls in config.yaml) and the permissions of the file";
    try {
      if (Files.size(file) > MAX_SIZE) {
        throw invalid(file + " is larger than 1 MiB, so it is not a PEM file", hint, null);
      }
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw invalid("file " + file + " not found", hint, e);
    } catch (AccessDeniedException e) {
      throw invalid("the daemon has no permission to read " + file, hint, e);
    } catch (IOException e) {
      throw invalid("cannot read " + file + ": " + e.getMessage(), hint, e);
    }
  }

  /// DER of each certificate, the daemon's own first.
  List<byte[]> certificates(TlsFiles files) {
    List<byte[]> found =
        blocks(certificate, files.certificate()).stream()
            .filter(block -> block.label().equals("CERTIFICATE"))
            .map(block -> block.der(files.certificate()))
            .toList();
    if (found.isEmpty()) {
      throw invalid(
          files.certificate() + " has no certificate",
          "--tls-cert must be a PEM file with -----BEGIN CERTIFICATE-----",
          null);
    }
    return found;
  }

  /// The private key, in PKCS#8 or in the traditional form of its kind.
  PrivateKey privateKey(TlsFiles files, PublicKey publicKey) {
    Path file = files.key();
    PemBlock block =
        blocks(key, file).stream()
            .filter(one -> one.label().endsWith("PRIVATE KEY"))
            .findFirst()
            .orElseThrow(() ->
                invalid(
                    file + " has no private key",
                    "--tls-key must be a PEM file with -----BEGIN PRIVATE KEY-----",
                    null));
    if (block.label().startsWith("ENCRYPTED") || block.body().contains("ENCRYPTED")) {
      throw invalid(
          "the key in " + file + " is encrypted, and the daemon cannot ask for its password",
          "decrypt the key into a file that only the daemon's user can read: openssl pkey -in %s -out"
                  .formatted(file)
              + " key.pem",
          null);
    }
    byte[] der = block.der(file);
    boolean isPkcs8 = block.label().equals("PRIVATE KEY");
    try {
      return KeyFactory.getInstance(publicKey.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(isPkcs8 ? der : pkcs8(der, publicKey)));
    } catch (GeneralSecurityException e) {
      throw mismatch(files, e);
    }
  }

  static Fault mismatch(TlsFiles files, @Nullable Exception cause) {
    return invalid(
        "the key in %s does not match the certificate in %s"
            .formatted(files.key(), files.certificate()),
        "use the key of that certificate; the daemon's own certificate must be"
            + " the first in its file",
        cause);
  }

  private static List<PemBlock> blocks(String text, Path file) {
    var found = new ArrayList<PemBlock>();
    var matcher = BLOCK.matcher(text);
    while (matcher.find()) {
      found.add(new PemBlock(matcher.group(1), matcher.group(2)));
    }
    // A file that is still being written often ends in the middle of a block.
    if (found.size() != text.split(BEGIN, -1).length - 1) {
      throw invalid(file + " is incomplete: a block has no END line", "copy the file again", null);
    }
    return found;
  }

  /// Puts a traditional key (PKCS#1 or SEC 1) into PKCS#8, which is `{0, algorithm, key}`. The
  /// algorithm is the one of the certificate's public key, which is `{algorithm, bits}`.
  private static byte[] pkcs8(byte[] traditional, PublicKey publicKey) {
    byte[] info = publicKey.getEncoded();
    int start = headerLength(info, 0);
    int end = start + headerLength(info, start) + contentLength(info, start);
    var inside = new ByteArrayOutputStream();
    inside.writeBytes(new byte[] {2, 1, 0});
    inside.write(info, start, end - start);
    inside.writeBytes(der(4, traditional));
    return der(0x30, inside.toByteArray());
  }

  private static int headerLength(byte[] der, int at) {
    return der[at + 1] >= 0 ? 2 : 2 + (der[at + 1] & 0x7f);
  }

  private static int contentLength(byte[] der, int at) {
    if (der[at + 1] >= 0) {
      return der[at + 1];
    }
    int length = 0;
    for (int i = at + 2; i < at + headerLength(der, at); i++) {
      length = (length << 8) | (der[i] & 0xff);
    }
    return length;
  }

  private static byte[] der(int tag, byte[] content) {
    var out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else {
      // Three bytes suffice: files are limited to 1 MiB.
      out.writeBytes(
          new byte[] {
            (byte) 0x83,
            (byte) (content.length >> 16),
            (byte) (content.length >> 8),
            (byte) content.length
          });
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static Fault invalid(String message, String hint, @Nullable Exception cause) {
    return ErrorCode.INVALID_CONFIG.fault(message, hint, cause);
  }
}
