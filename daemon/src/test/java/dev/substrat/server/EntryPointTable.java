package dev.substrat.server;

import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.server.EntryPointTeam.Caller;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The page docs/attack-surface-changes.md: every entry point that changes something, and what each
/// kind of caller gets if it is about a thing of others.
final class EntryPointTable {
  /// One request; a form has fields, everything else JSON.
  record Shot(String path, String body, boolean isForm) {}

  /// A request to a route, newly made for each caller. `about` says what it is about.
  private record Request(String route, String about, Function<Caller, Shot> shot) {}

  private final EntryPointTeam team;
  private final List<Request> requests = new ArrayList<>();
  private int names;

  EntryPointTable(EntryPointTeam team) {
    this.team = team;
    approvals();
    for (String space : List.of("harbor", "plaza")) {
      spaces(space, space.equals("harbor") ? "private space" : "public space");
      forms(space, space.equals("harbor") ? "private space" : "public space");
    }
    json("POST /api/spaces", "", _ -> "/api/spaces", _ -> "{'name':'%s'}".formatted(name()));
    form(
        "POST /spaces",
        "",
        _ -> "/spaces",
        _ ->
            new String[] {
              "name", name(), "kind", "private", "topic", "", "wake", "all", "members", ""
            });
    runs();
  }

  private String name() {
    return "space " + names++;
  }

  private void approvals() {
    json(
        "POST /api/pending/{id}/answer",
        "answer",
        _ -> "/api/pending/" + team.pendingCall() + "/answer",
        _ -> "{'result':{'confirmed':true}}");
    json(
        "POST /api/pending/{id}/answer",
        "decline",
        _ -> "/api/pending/" + team.pendingCall() + "/answer",
        _ -> "{'declined':true}");
    json(
        "POST /api/runs/{id}/tool-results",
        "",
        _ -> "/api/runs/" + team.run() + "/tool-results",
        _ -> "{'callId':'%s','result':{'confirmed':true}}".formatted(team.pendingCall()));
    json(
        "POST /api/callbacks/{id}",
        "without a signature",
        _ -> "/api/callbacks/" + team.pendingCall(),
        _ -> "{'confirmed':true}");
    for (String button : List.of("yes", "decline")) {
      form(
          "POST /approvals/{id}",
          button,
          _ -> "/approvals/" + team.pendingCall(),
          _ -> new String[] {"do", button});
    }
  }

  private void spaces(String space, String kind) {
    String here = "/api/spaces/" + space;
    json("PUT /api/spaces/{id}", kind + ", topic", _ -> here, _ -> "{'topic':'tides'}");
    json("PUT /api/spaces/{id}", kind + ", wake policy", _ -> here, _ -> "{'wakePolicy':'none'}");
    String members = here + "/members";
    json(
        "POST /api/spaces/{id}/members",
        kind + ", another",
        _ -> members,
        _ -> "{'member':'cleo'}");
    json("POST /api/spaces/{id}/members", kind + ", itself", _ -> members, EntryPointTable::itself);
    json(
        "DELETE /api/spaces/{id}/members",
        kind + ", another",
        _ -> members,
        _ -> "{'member':'ben'}");
    json(
        "DELETE /api/spaces/{id}/members",
        kind + ", itself",
        _ -> members,
        EntryPointTable::itself);
    json("POST /api/spaces/{id}/release", kind, _ -> here + "/release", _ -> "");
    json("POST /api/spaces/{id}/messages", kind, _ -> here + "/messages", _ -> "{'text':'ahoy'}");
    json("POST /api/spaces/{id}/read", kind, _ -> here + "/read", _ -> "{'seq':1}");
    for (String method : List.of("POST", "DELETE")) {
      json(
          method + " /api/messages/{id}/reactions",
          kind,
          _ -> "/api/messages/" + team.message(space) + "/reactions",
          _ -> "{'emoji':'👍'}");
    }
  }

  private static String itself(Caller caller) {
    return "{'member':'%s'}".formatted(named(caller));
  }

  private static String named(Caller caller) {
    return caller.name == null ? "ada" : caller.name;
  }

  private void forms(String space, String kind) {
    String here = "/spaces/" + space;
    form(
        "POST /spaces/{id}/settings",
        kind + ", topic",
        _ -> here + "/settings",
        _ -> new String[] {"name", space, "topic", "tides"});
    form(
        "POST /spaces/{id}/settings",
        kind + ", wake policy",
        _ -> here + "/settings",
        _ -> new String[] {"name", space, "topic", "", "wake", "none"});
    form(
        "POST /spaces/{id}/members",
        kind + ", another",
        _ -> here + "/members",
        _ -> new String[] {"member", "cleo"});
    form(
        "POST /spaces/{id}/members",
        kind + ", itself",
        _ -> here + "/members",
        caller -> new String[] {"member", named(caller)});
    form(
        "POST /spaces/{id}/leave",
        kind + ", another",
        _ -> here + "/leave",
        _ -> new String[] {"member", "ben"});
    form(
        "POST /spaces/{id}/leave",
        kind + ", itself",
        _ -> here + "/leave",
        caller -> new String[] {"member", named(caller)});
    form("POST /spaces/{id}/release", kind, _ -> here + "/release", _ -> new String[] {"x", ""});
    form(
        "POST /spaces/{id}/messages",
        kind,
        _ -> here + "/messages",
        _ -> new String[] {"text", "ahoy", "parent", ""});
    form(
        "POST /spaces/{id}/reactions",
        kind,
        _ -> here + "/reactions",
        _ -> new String[] {"sign", team.message(space) + " 👍", "thread", ""});
  }

  private void runs() {
    for (String door : List.of("/api", "")) {
      String route = "POST " + door + "/runs/{id}/";
      Function<Caller, String> run = _ -> door + "/runs/" + team.run() + "/";
      if (door.isEmpty()) {
        form(
            route + "cancel",
            "",
            run.andThen(path -> path + "cancel"),
            _ -> new String[] {"x", ""});
        form(
            route + "replay",
            "",
            run.andThen(path -> path + "replay"),
            _ -> new String[] {"x", ""});
        form(
            route + "fork",
            "",
            run.andThen(path -> path + "fork"),
            _ -> new String[] {"fromStep", "1"});
      } else {
        json(route + "cancel", "", run.andThen(path -> path + "cancel"), _ -> "");
        json(route + "replay", "", run.andThen(path -> path + "replay"), _ -> "{}");
        json(route + "fork", "", run.andThen(path -> path + "fork"), _ -> "{'fromStep':1}");
      }
    }
  }

  private void json(
      String route, String about, Function<Caller, String> path, Function<Caller, String> body) {
    requests.add(
        new Request(
            route,
            about,
            caller -> new Shot(path.apply(caller), body.apply(caller).replace('\'', '"'), false)));
  }

  private void form(
      String route,
      String about,
      Function<Caller, String> path,
      Function<Caller, String[]> fields) {
    requests.add(
        new Request(
            route,
            about,
            caller -> new Shot(path.apply(caller), encoded(fields.apply(caller)), true)));
  }

  private static String encoded(String... fields) {
    return IntStream.range(0, fields.length)
        .mapToObj(
            i -> URLEncoder.encode(fields[i], StandardCharsets.UTF_8) + (i % 2 == 0 ? "=" : "&"))
        .collect(Collectors.joining());
  }

  /// Asks everything, and returns the page.
  String page() {
    var page = new ArrayList<String>();
    page.add(
        """
        # Attack surface: changes

        Every entry point that changes something, and what each kind of caller gets. Written by `EntryPointAuthorisationTest`,
        which sends every request of the first and the third table. Renew it with `-Dsubstrat.golden=renew`.

        ## Decided by the thing that is changed

        The scope of the route ([attack surface](attack-surface.md)) decides first, then the code that makes the change decides
        from the principal. `ok`: the change was made. Otherwise status and code. `CONFLICT` and `NOT_REPLAYABLE` mean that the
        caller may do it and the request failed for another reason, as does `NOT_A_MEMBER` if an operator leaves a space. A caller
        with a role sends each request twice, with a token and with a browser session; if the results differ, both are listed.
        """);
    page.add("| request | about | " + titles() + " |");
    page.add("|---|---|" + "---|".repeat(Caller.values().length));
    requests.stream()
        .sorted(Comparator.comparing(request -> path(request.route())))
        .map(this::row)
        .forEach(page::add);
    page.add(
        """

        ## Decided by role and scope

        A caller that has the scope may do this to everything that the scope covers.

        | request | requires |
        |---|---|\
        """);
    others()
        .map(route ->
            "| `%s %s` | %s |".formatted(route.method(), route.path(), route.access().word()))
        .forEach(page::add);
    page.add(
        """

        ## Tools

        `unrelated` is an agent that is neither parent nor sibling of the named agent and no member of the named space, or a zoo
        client that may not see the named agent; `related` is the parent, a member, or a zoo client that may see it. `own` stands
        for a tool that takes no other agent and no space, or acts on the caller's own things only.

        | tool | unrelated | related |
        |---|---|---|\
        """);
    tools().forEach((tool, outcomes) -> page.add("| `%s` | %s |".formatted(tool, outcomes)));
    return String.join("\n", page) + "\n";
  }

  private static String path(String route) {
    return route.split(" ")[1];
  }

  private static String titles() {
    return Stream.of(Caller.values()).map(one -> one.title).collect(Collectors.joining(" | "));
  }

  private String row(Request request) {
    String outcomes =
        Stream.of(Caller.values())
            .map(caller -> outcome(request, caller))
            .collect(Collectors.joining(" | "));
    return "| `%s` | %s | %s |".formatted(request.route(), request.about(), outcomes);
  }

  private String outcome(Request request, Caller caller) {
    String method = request.route().split(" ")[0];
    team.restore();
    String byToken = team.outcome(caller, method, request.shot().apply(caller));
    if (caller.name == null) {
      return byToken;
    }
    team.restore();
    String bySession = team.sessionOutcome(caller, method, request.shot().apply(caller));
    return byToken.equals(bySession) ? byToken : byToken + ", session: " + bySession;
  }

  /// Routes that change something and are not asked above.
  private Stream<HttpRoute> others() {
    return team.daemon.routes().stream()
        .filter(route -> !route.method().equals("GET"))
        .filter(route ->
            requests.stream()
                .noneMatch(one -> one.route().equals(route.method() + " " + route.path())))
        .sorted(Comparator.comparing(HttpRoute::path).thenComparing(HttpRoute::method));
  }

  /// Those of them for which the scope is not the last word: they must be asked.
  List<String> unasked() {
    List<RouteAccess> decidedLater =
        List.of(
            Scope.SPACES_READ,
            Scope.SPACES_POST,
            Scope.SPACES_WRITE,
            Scope.APPROVALS_ANSWER,
            Scope.APPROVALS_READ,
            Scope.RUNS_READ,
            Scope.RUNS_WRITE,
            Scope.EVENTS_READ);
    return others()
        .filter(route -> decidedLater.contains(route.access()))
        .map(route -> route.method() + " " + route.path())
        .toList();
  }

  private Map<String, String> tools() {
    var rows = new TreeMap<String, String>();
    team.writingTools().forEach(tool -> rows.put(tool, byAgents(tool)));
    team.writingZooTools()
        .forEach(tool -> rows.put(tool, byZoo(tool, "ada") + " | " + byZoo(tool, "ben")));
    return rows;
  }

  /// Ada is the parent and a member, ben is neither.
  private String byAgents(String tool) {
    return Stream.of("ben", "ada")
        .map(agent -> {
          String arguments = about(tool);
          return arguments.isEmpty()
              ? "own"
              : code(team.call(agent, tool, arguments).path("code").asText());
        })
        .collect(Collectors.joining(" | "));
  }

  private String about(String tool) {
    return switch (tool) {
      case "gate", "ungate", "permit_turn", "poke", "subscribe", "unsubscribe", "terminate_agent" ->
          "{'name':'%s'}".formatted(team.child());
      case "enter_space", "read_messages" -> "{'spaceId':'cabin'}";
      case "send_message" -> "{'channelId':'cabin','text':'ahoy'}";
      case "react_to_message" -> "{'messageId':'%s','emoji':'👍'}".formatted(team.cabinMessage());
      default -> "";
    };
  }

  private String byZoo(String tool, String agent) {
    var arguments = Json.object().put("agentId", team.id(agent));
    if (tool.contains("create")) {
      arguments.put("title", name()).put("content", "x");
    } else if (tool.contains("entry")) {
      arguments.put("entryId", "none");
    } else {
      return "own";
    }
    var call = Json.object().put("name", tool);
    call.set("arguments", arguments);
    var result = team.zoo("tools/call", call);
    return code(result.at("/structuredContent/code").asText());
  }

  private static String code(String code) {
    return Objects.requireNonNull(code).isEmpty() ? "ok" : code;
  }
}
