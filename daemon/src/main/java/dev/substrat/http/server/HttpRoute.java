package dev.substrat.http.server;

import dev.substrat.platform.identity.RouteAccess;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A route: method, path with `{names}`, required access, and handler. Every route declares its
/// required access.
///
/// `body` is the record of the request body; validation and documentation both use its schema.
public record HttpRoute(
    String method,
    String path,
    RouteAccess access,
    String summary,
    @Nullable Class<? extends Record> body,
    List<Parameter> parameters,
    Handler handler) {

  /// Something a request may say beside its path and body; all of them are optional.
  public record Parameter(String in, String name, String description) {}

  /// Answers one request.
  @FunctionalInterface
  public interface Handler {
    HttpReply handle(HttpExchange exchange);
  }

  public static HttpRoute read(String path, RouteAccess access, String summary, Handler handler) {
    return new HttpRoute("GET", path, access, summary, null, List.of(), handler);
  }

  public static HttpRoute write(
      String path,
      RouteAccess access,
      String summary,
      @Nullable Class<? extends Record> body,
      Handler handler) {
    return new HttpRoute("POST", path, access, summary, body, List.of(), handler);
  }

  /// Puts a whole new thing in the place of the one that is there.
  public static HttpRoute replace(
      String path,
      RouteAccess access,
      String summary,
      Class<? extends Record> body,
      Handler handler) {
    return new HttpRoute("PUT", path, access, summary, body, List.of(), handler);
  }

  public static HttpRoute remove(String path, RouteAccess access, String summary, Handler handler) {
    return new HttpRoute("DELETE", path, access, summary, null, List.of(), handler);
  }

  /// The same route, which also reads this query parameter.
  public HttpRoute withQuery(String name, String description) {
    return with(new Parameter("query", name, description));
  }

  /// The same route, which also reads this header.
  public HttpRoute withHeader(String header, String description) {
    return with(new Parameter("header", header, description));
  }

  private HttpRoute with(Parameter parameter) {
    var more = Stream.concat(parameters.stream(), Stream.of(parameter)).toList();
    return new HttpRoute(method, path, access, summary, body, more, handler);
  }

  /// Whether the route reads this query parameter.
  boolean isTaking(String name) {
    return parameters.stream().anyMatch(one -> one.in().equals("query") && one.name().equals(name));
  }

  /// The path's parts, as they are written.
  static List<String> segments(String path) {
    return path.startsWith("/") ? List.of(path.substring(1).split("/", -1)) : List.of();
  }
}
