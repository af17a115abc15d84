package dev.substrat.server.console;

import dev.substrat.console.Assets;
import dev.substrat.console.Assets.Asset;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.protocol.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPOutputStream;

/// Routes of the console's styles, scripts and icons. They are public: they contain no data.
final class AssetRoutes {
  private static final String FOR_EVER = "public, max-age=31536000, immutable";

  private final Assets assets;
  private final Map<String, byte[]> packed = new ConcurrentHashMap<>();

  AssetRoutes(Assets assets) {
    this.assets = assets;
  }

  List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
            "/assets/{build}/{file}",
            RouteAccess.PUBLIC,
            "The console's styles and scripts.",
            this::file));
  }

  /// A page of an older build requests the old address. It gets the current file, which must not be
  /// cached under that address.
  private HttpReply file(HttpExchange exchange) {
    String name = exchange.name("file");
    Asset asset =
        assets
            .find(name)
            .orElseThrow(() ->
                ErrorCode.NOT_FOUND.fault("asset \"" + name + "\" not found", "reload the page"));
    String keep = exchange.name("build").equals(assets.build()) ? FOR_EVER : "no-store";
    boolean isPacked =
        exchange.header("Accept-Encoding").filter(all -> all.contains("gzip")).isPresent();
    return isPacked
        ? new HttpReply.BinaryReply(
            asset.type(),
            () -> packed.computeIfAbsent(name, _ -> pack(asset)),
            Map.of("Cache-Control", keep, "Content-Encoding", "gzip", "Vary", "Accept-Encoding"))
        : new HttpReply.ContentReply(
            200,
            asset.type(),
            asset.text(),
            Map.of("Cache-Control", keep, "Vary", "Accept-Encoding"));
  }

  private static byte[] pack(Asset asset) {
    var bytes = new ByteArrayOutputStream();
    try (var stream = new GZIPOutputStream(bytes)) {
      stream.write(asset.text().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
