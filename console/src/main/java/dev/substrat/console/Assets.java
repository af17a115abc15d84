package dev.substrat.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Styles, scripts and icons of this build. Their address contains a hash of their content, so
/// browsers may cache them for ever. The style files are served as one file.
public final class Assets {
  /// In cascade order.
  private static final List<String> STYLES =
      List.of(
          "tokens",
          "base",
          "frame",
          "button",
          "field",
          "card",
          "badge",
          "empty",
          "dialog",
          "feed",
          "agents",
          "agent",
          "builder",
          "runs",
          "team",
          "health",
          "prose",
          "spaces",
          "space-entries",
          "approvals",
          "messages");

  private static final List<String> SCRIPTS =
      List.of(
          "appearance",
          "offline",
          "composer",
          "confirm",
          "connection",
          "drafts",
          "polling",
          "copy",
          "forms",
          "handle",
          "history",
          "live",
          "main",
          "times",
          "morph",
          "notifications",
          "idempotency",
          "order",
          "page",
          "palette",
          "preview",
          "reactions",
          "read-receipts",
          "running-calls",
          "search",
          "shortcuts",
          "skills",
          "tabs",
          "autoscroll",
          "team",
          "theme",
          "toast",
          "list-keys",
          "live-output");

  private final Map<String, Asset> byName = new LinkedHashMap<>();
  private final String build;

  public record Asset(String type, String text) {}

  public Assets() {
    var styles = new StringBuilder();
    STYLES.forEach(name -> styles.append(text("styles/" + name + ".css")).append('\n'));
    add("console.css", "text/css", styles.toString());
    SCRIPTS.forEach(name -> add(name + ".js", "text/javascript", text("scripts/" + name + ".js")));
    add("icon.svg", "image/svg+xml", text("icon.svg"));
    this.build = fingerprint();
  }

  /// Hash of all assets.
  public String build() {
    return build;
  }

  public Optional<Asset> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  private void add(String name, String type, String text) {
    byName.put(name, new Asset(type + "; charset=utf-8", text));
  }

  private String fingerprint() {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      byName
          .values()
          .forEach(asset -> digest.update(asset.text().getBytes(StandardCharsets.UTF_8)));
      return HexFormat.of().formatHex(digest.digest(), 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(String path) {
    try (var stream = Assets.class.getResourceAsStream("/console/" + path)) {
      if (stream == null) {
        throw new IllegalStateException("console asset " + path + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
