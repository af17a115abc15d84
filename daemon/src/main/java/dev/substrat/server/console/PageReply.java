package dev.substrat.server.console;

import dev.substrat.console.View;
import dev.substrat.console.ViewRenderer;
import dev.substrat.http.server.HttpReply;
import dev.substrat.protocol.HiddenCharacters;
import java.util.Map;

/// HTTP replies with rendered pages and security headers, which prevent the execution of content
/// written by agents.
public final class PageReply {
  /// No external resources and no inline scripts.
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
          + "img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  /// With `no-referrer`, browsers would hide the origin of our own forms, too.
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy", POLICY,
          "Referrer-Policy", "same-origin",
          "Cache-Control", "no-store");

  private PageReply() {}

  public static HttpReply ok(View view) {
    return of(200, view);
  }

  /// The same page again, with validation errors.
  public static HttpReply wrong(View view) {
    return of(422, view);
  }

  static HttpReply of(int status, View view) {
    return new HttpReply.ContentReply(
        status, "text/html; charset=utf-8", ViewRenderer.of(view), HEADERS);
  }

  /// Plain text with hidden characters escaped.
  public static HttpReply plain(String text) {
    String shown = HiddenCharacters.escape(text);
    return new HttpReply.ContentReply(200, "text/plain; charset=utf-8", shown, HEADERS);
  }

  public static HttpReply goTo(String path) {
    return new HttpReply.ContentReply(303, "text/plain", "", Map.of("Location", path));
  }

  /// Redirect with a confirmation.
  public static HttpReply goTo(String path, FlashMessage said) {
    return goTo(path + (path.contains("?") ? "&said=" : "?said=") + said.key());
  }
}
