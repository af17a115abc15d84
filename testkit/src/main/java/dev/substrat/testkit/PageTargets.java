package dev.substrat.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Requests for every page and list of a daemon with a [LargeHistory], from the paths of its
/// routes.
public final class PageTargets {
  /// Event streams, and a redirect.
  private static final Set<String> LEFT_OUT = Set.of("/", "/mcp", "/api/events", "/api/sse");

  /// Filters and orders that have queries of their own.
  private static final List<String> WITH_QUERY =
      List.of(
          "/agents?order=active",
          "/agents?order=waiting",
          "/agents?q=berth",
          "/agents?ended=1",
          "/mail?folder=all",
          "/mail?folder=dead",
          "/mail?folder=held",
          "/palette?q=agent",
          "/runs?agent=agent-0",
          "/runs?status=failed",
          "/team?who=agent-0",
          "/team?open=agent-0",
          "/api/agents?terminated=true",
          "/api/inbox?unread=true",
          "/api/messages?held=true",
          "/api/messages?dead=true",
          "/api/messages?held=true&dead=true",
          "/api/messages?agent=agent-0",
          "/api/pending?all=true",
          "/api/runs?agent=agent-0",
          "/api/spaces/plaza/messages?beforeSeq=50");

  private PageTargets() {}

  /// Paths with queries. `read` returns the JSON of a path as text; it is asked for the newest ids.
  public static List<String> of(List<String> routes, UnaryOperator<String> read) {
    String run = newest(read, "/api/runs", "id");
    String message = newest(read, "/api/messages", "message_id");
    String call = newest(read, "/api/pending", "callId");
    var ids =
        Map.of(
            "agents", LargeHistory.BUSIEST,
            "spaces", LargeHistory.SPACE,
            "runs", run,
            "messages", message,
            "mail", message,
            "pending", call,
            "approvals", call);
    var targets = new ArrayList<String>();
    for (String route : routes) {
      String path = route;
      for (var id : ids.entrySet()) {
        path =
            path.replaceFirst(
                "/" + id.getKey() + "/\\{\\w+}", "/" + id.getKey() + "/" + id.getValue());
      }
      if (!LEFT_OUT.contains(path) && !path.contains("{")) {
        targets.add(path);
      }
    }
    targets.addAll(WITH_QUERY);
    return targets;
  }

  private static String newest(UnaryOperator<String> read, String list, String key) {
    String json = read.apply(list + "?limit=1");
    int start = json.indexOf("\"%s\":\"".formatted(key)) + key.length() + 4;
    return json.substring(start, json.indexOf('"', start));
  }
}
