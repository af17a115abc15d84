package dev.substrat.server.api;

import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.toolset.custom.Attachments;
import dev.substrat.toolset.custom.Attachments.Attachment;
import java.util.Map;

/// HTTP routes of images created by tools.
public final class AttachmentRoutes {
  /// Headers that keep a browser from executing the content.
  private static final Map<String, String> HARMLESS =
      Map.of(
          "X-Content-Type-Options",
          "nosniff",
          "Content-Security-Policy",
          "default-src 'none'; sandbox",
          "Cache-Control",
          "private, max-age=3600");

  private final Attachments attachments;

  public AttachmentRoutes(Attachments attachments) {
    this.attachments = attachments;
  }

  public HttpRoute route() {
    return HttpRoute.read(
        "/api/attachments/{id}",
        Scope.SPACES_READ,
        "Return an image created by a tool.",
        this::show);
  }

  /// Without access to its space, the response is the same as for a missing attachment.
  private HttpReply show(HttpExchange exchange) {
    Attachment attachment =
        attachments
            .find(exchange.caller(), exchange.name("id"))
            .orElseThrow(() -> ErrorCode.NOT_FOUND.fault("attachment not found", "check the id"));
    return new HttpReply.BinaryReply(attachment.mediaType(), attachment::content, HARMLESS);
  }
}
