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
    List<RouteParameter> parameters,
    RouteHandler handler) {

  /// A parameter of a request beside its path and body; all are optional.
  public record RouteParameter(String in, String name, String description) {}

  /// Handles a request.
  @FunctionalInterface
  public interface RouteHandler {
    HttpReply handle(HttpExchange exchange);
  }

  public static HttpRoute read(
      String path, RouteAccess access, String summary, RouteHandler handler) {
    return new HttpRoute("GET", path, access, summary, null, List.of(), handler);
  }

  public static HttpRoute write(
      String path,
      RouteAccess access,
      String summary,
      @Nullable Class<? extends Record> body,
      RouteHandler handler) {
    return new HttpRoute("POST", path, access, summary, body, List.of(), handler);
  }

  /// A route that replaces a whole resource.
  public static HttpRoute replace(
      String path,
      RouteAccess access,
      String summary,
      Class<? extends Record> body,
      RouteHandler handler) {
    return new HttpRoute("PUT", path, access, summary, body, List.of(), handler);
  }

  public static HttpRoute remove(
      String path, RouteAccess access, String summary, RouteHandler handler) {
    return new HttpRoute("DELETE", path, access, summary, null, List.of(), handler);
  }

  /// The same route with a query parameter.
  public HttpRoute withQuery(String name, String description) {
    return with(new RouteParameter("query", name, description));
  }

  /// The same route with a header.
  public HttpRoute withHeader(String header, String description) {
    return with(new RouteParameter("header", header, description));
  }

  private HttpRoute with(RouteParameter parameter) {
    var more = Stream.concat(parameters.stream(), Stream.of(parameter)).toList();
    return new HttpRoute(method, path, access, summary, body, more, handler);
  }

  /// Whether the route reads this query parameter.
  boolean isTaking(String name) {
    return parameters.stream().anyMatch(one -> one.in().equals("query") && one.name().equals(name));
  }

  /// Segments of a path.
  static List<String> segments(String path) {
    return path.startsWith("/") ? List.of(path.substring(1).split("/", -1)) : List.of();
  }
}
