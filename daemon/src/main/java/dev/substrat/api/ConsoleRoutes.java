package dev.substrat.api;

import dev.substrat.http.Reply;
import dev.substrat.http.Route;
import dev.substrat.http.Route.Access;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// The console's page, style and scripts. Everybody may load them: they hold nothing; what they
/// show comes from the API, which asks who is there.
public final class ConsoleRoutes {
  /// Nothing foreign is ever loaded, and nothing inline runs, whatever an agent has written.
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
          + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  private ConsoleRoutes() {}

  public static List<Route> routes() {
    return List.of(
        file("/", "index.html", "text/html"),
        file("/console.css", "console.css", "text/css"),
        file("/console.js", "console.js", "text/javascript"),
        file("/narrator.js", "narrator.js", "text/javascript"));
  }

  private static Route file(String path, String name, String type) {
    return Route.read(path, Access.PUBLIC, "The console: " + name, _ -> content(name, type));
  }

  private static Reply content(String name, String type) {
    var headers =
        Map.of(
            "Content-Security-Policy", POLICY,
            "Referrer-Policy", "no-referrer",
            "Cache-Control", "no-cache");
    return new Reply.Content(200, type + "; charset=utf-8", read(name), headers);
  }

  private static String read(String name) {
    try (var stream = ConsoleRoutes.class.getResourceAsStream("/console/" + name)) {
      if (stream == null) {
        throw new IllegalStateException("the console's " + name + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
