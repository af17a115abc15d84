package dev.substrat.http.server;

import dev.substrat.platform.json.StorableText;
import dev.substrat.protocol.ErrorCode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Finds the route of a request. Immutable, so safe for many threads.
public final class HttpRouter {
  /// Key of routes that begin with a placeholder, which matches any segment.
  private static final String ANY = "{";

  private final List<HttpRoute> routes;

  /// By the first segment of their paths, each including those of [#ANY], in the routes' order.
  private final Map<String, List<RouteEntry>> byFirst = new HashMap<>();

  public HttpRouter(List<HttpRoute> routes) {
    this.routes = List.copyOf(routes);
    List<RouteEntry> entries =
        routes.stream()
            .map(route -> new RouteEntry(route, HttpRoute.segments(route.path())))
            .toList();
    entries.forEach(entry -> byFirst.put(entry.first(), List.of()));
    byFirst.put(ANY, List.of());
    byFirst.replaceAll((first, _) ->
        entries.stream()
            .filter(one -> one.first().equals(first) || one.first().equals(ANY))
            .toList());
  }

  public List<HttpRoute> routes() {
    return routes;
  }

  /// All routes that match the path, with any method. `path` is split before it is decoded, so an
  /// escaped slash is part of a name.
  List<RouteMatch> at(String path) {
    List<String> segments = HttpRoute.segments(path).stream().map(HttpRouter::decode).toList();
    var matches = new ArrayList<RouteMatch>();
    String first = segments.isEmpty() ? ANY : segments.getFirst();
    for (RouteEntry entry : byFirst.getOrDefault(first, byFirst.getOrDefault(ANY, List.of()))) {
      entry.match(segments).ifPresent(names -> matches.add(new RouteMatch(entry.route(), names)));
    }
    return matches;
  }

  private static String decode(String segment) {
    return segment.indexOf('%') < 0
        ? segment
        : URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /// The route that also matches the method; otherwise a fault with the allowed methods.
  static RouteMatch choose(List<RouteMatch> matches, String method, String path) {
    for (RouteMatch match : matches) {
      if (match.route().method().equals(method)) {
        return match;
      }
    }
    if (matches.isEmpty()) {
      throw ErrorCode.NOT_FOUND.fault(
          "no route for " + path, "see /api/openapi.json for all routes");
    }
    throw ErrorCode.METHOD_NOT_ALLOWED.fault(
        method + " is not allowed for " + path, "allowed methods: " + allowed(matches));
  }

  static String allowed(List<RouteMatch> matches) {
    var methods = new TreeSet<String>();
    matches.forEach(match -> methods.add(match.route().method()));
    return String.join(", ", methods);
  }

  /// A route and the values of the placeholders in its path.
  record RouteMatch(HttpRoute route, Map<String, String> names) {}

  private record RouteEntry(HttpRoute route, List<String> segments) {

    String first() {
      return segments.isEmpty() || segments.getFirst().startsWith(ANY) ? ANY : segments.getFirst();
    }

    Optional<Map<String, String>> match(List<String> path) {
      if (path.size() != segments.size()) {
        return Optional.empty();
      }
      var names = new HashMap<String, String>();
      for (int i = 0; i < path.size(); i++) {
        String wanted = segments.get(i);
        if (wanted.startsWith("{") && isName(path.get(i))) {
          names.put(wanted.substring(1, wanted.length() - 1), path.get(i));
        } else if (!wanted.equals(path.get(i))) {
          return Optional.empty();
        }
      }
      return Optional.of(names);
    }

    private static boolean isName(String segment) {
      return !segment.isEmpty() && StorableText.isStorable(segment);
    }
  }
}
