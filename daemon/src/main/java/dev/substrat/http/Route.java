package dev.substrat.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One thing the server can be asked: method, path with `{names}`, who may ask, and what answers.
///
/// `body` is the record a request must carry; the schema that is checked and the one that is
/// documented both come from it.
public record Route(
    String method,
    String path,
    Access access,
    String summary,
    @Nullable Class<? extends Record> body,
    Handler handler) {

  /// Who may use a route.
  public enum Access {
    /// Everybody, without a credential.
    PUBLIC,
    /// Any principal.
    ANYONE,
    /// The operator only.
    OPERATOR
  }

  /// Answers one request.
  @FunctionalInterface
  public interface Handler {
    Reply handle(Exchange exchange);
  }

  public static Route read(String path, Access access, String summary, Handler handler) {
    return new Route("GET", path, access, summary, null, handler);
  }

  public static Route write(
      String path,
      Access access,
      String summary,
      @Nullable Class<? extends Record> body,
      Handler handler) {
    return new Route("POST", path, access, summary, body, handler);
  }

  public static Route remove(String path, Access access, String summary, Handler handler) {
    return new Route("DELETE", path, access, summary, null, handler);
  }

  /// The path's parts, as they are written.
  static List<String> segments(String path) {
    return path.startsWith("/") ? List.of(path.substring(1).split("/", -1)) : List.of();
  }
}
