package dev.substrat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.server.Daemon;
import dev.substrat.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// A daemon with one object of each kind that commands act on, and a token of each kind of caller.
final class CommandSurfaceFixture implements AutoCloseable {
  /// Commands that ask no daemon at a URL.
  static final List<String> LOCAL = List.of("up", "demo", "doctor", "connect", "mcp", "completion");

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String WORKER =
      """
      {"name":"worker","provider":{"name":"scripted","playbook":[{"do":[{"say":"done"}]}]},
       "tools":[{"name":"confirm","description":"Asks.","executionType":"space",
         "display":{"customUI":"confirmAction","title":"Sure?"}}],
       "mcp":{"servers":[{"name":"met","url":"http://127.0.0.1:1/mcp"},
         {"name":"local","command":"true"}]}}
      """;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path folder;
  private final Daemon daemon;
  private final RecordingProxy proxy;
  private final Map<String, String> callers = new LinkedHashMap<>();
  private final Map<String, String> ids = new LinkedHashMap<>();
  private final List<String> routes = new ArrayList<>();

  CommandSurfaceFixture(Path folder) throws IOException {
    this.folder = folder;
    this.daemon =
        Daemon.start(
            new DaemonSettings("127.0.0.1", 0, folder, null, 2, "error", Set.of()), Map.of());
    this.proxy = new RecordingProxy(daemon.url());
    furnish();
    admit();
    ask("GET", "/api/openapi.json", "")
        .path("paths")
        .properties()
        .forEach(path ->
            path.getValue()
                .fieldNames()
                .forEachRemaining(
                    method -> routes.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
  }

  RecordingProxy proxy() {
    return proxy;
  }

  /// Tokens by the title of their column; the owner is the last.
  Map<String, String> callers() {
    return callers;
  }

  /// The pattern of the route that answers a request.
  String route(String request) {
    String[] words = request.split("[ /]", -1);
    return routes.stream()
        .filter(route -> fits(route.split("[ /]", -1), words))
        .min((a, b) -> Integer.compare(blanks(a), blanks(b)))
        .orElseThrow(() -> new AssertionError("no route for " + request));
  }

  private static boolean fits(String[] route, String[] request) {
    boolean fits = route.length == request.length;
    for (int i = 0; fits && i < route.length; i++) {
      fits = route[i].startsWith("{") || route[i].equals(request[i]);
    }
    return fits;
  }

  private static int blanks(String route) {
    return route.length() - route.replace("{", "").length();
  }

  private void furnish() {
    ask("POST", "/api/agents", WORKER);
    for (String name : List.of("mira", "ada", "victim")) {
      ask(
          "POST",
          "/api/agents",
          "{\"name\":\"%s\",\"provider\":{\"name\":\"external\"}}".formatted(name));
    }
    ask("POST", "/api/spaces", "{\"name\":\"Deck\",\"members\":[\"mira\"]}");
    keep("post", ask("POST", "/api/spaces/deck/messages", "{\"text\":\"ahoy\"}").path("id"));
    keep(
        "message",
        ask("POST", "/api/agents/worker/messages", "{\"text\":\"go\"}").path("message_id"));
    Await.until(() -> run().path("status").asText().equals("done"));
    keep("run", run().path("id"));
    String call = "{\"agent\":\"worker\",\"arguments\":{}}";
    keep("call", ask("POST", "/api/tools/confirm/call", call).path("pendingToolCallId"));
    ask("PUT", "/api/agents/mira/memory/notes", "{\"content\":\"Bergen\"}");
    keep("token", ask("POST", "/api/agents/mira/tokens", "{}").path("id"));
    keep("doomed", ask("POST", "/api/agents/mira/tokens", "{}").path("id"));
    keep(
        "template",
        ask("POST", "/api/templates", "{\"agent\":\"mira\",\"name\":\"Lead\"}").path("id"));
  }

  private JsonNode run() {
    return ask("GET", "/api/runs?agent=worker", "").at("/runs/0");
  }

  private void admit() throws IOException {
    JsonNode revoked = ask("POST", "/api/tokens", "{}");
    ask("DELETE", "/api/tokens/" + revoked.path("id").asText(), "");
    callers.put("revoked token", revoked.path("token").asText());
    callers.put("external agent", token("/api/agents/mira/tokens", "{}"));
    callers.put("zoo client", token("/api/tokens", "{\"zoo\":true}"));
    callers.put("`metrics:read`", token("/api/tokens", "{\"scopes\":[\"metrics:read\"]}"));
    var scopes = new ArrayList<String>();
    for (String scope :
        List.of(
            "agents:read",
            "agents:write",
            "messages:read",
            "messages:send",
            "approvals:read",
            "approvals:answer",
            "runs:read",
            "runs:write",
            "memory:read",
            "memory:write",
            "servers:read",
            "servers:approve",
            "events:read",
            "tokens:write")) {
      scopes.add("\"" + scope + " agent=ada\"");
    }
    callers.put(
        "scopes of another agent",
        token("/api/tokens", "{\"scopes\":[%s]}".formatted(String.join(",", scopes))));
    for (String role : List.of("member", "viewer", "operator")) {
      String name = role + "-person";
      ask("POST", "/api/people", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role));
      callers.put(role, token("/api/tokens", "{\"person\":\"%s\"}".formatted(name)));
    }
    ask("POST", "/api/people", "{\"name\":\"guest\"}");
    callers.put("owner", operator());
  }

  private String token(String path, String options) {
    return ask("POST", path, options).path("token").asText();
  }

  private void keep(String name, JsonNode id) {
    assertThat(id.asText()).as(name).isNotEmpty();
    ids.put(name, id.asText());
  }

  private String id(String name) {
    return ids.getOrDefault(name, "nobody");
  }

  /// Arguments of each command, in the order of execution: commands that delete something come
  /// last.
  Map<String, List<String>> arguments() throws IOException {
    Path config = Files.writeString(folder.resolve("agent.yaml"), "name: Fresh\n");
    Path team = Files.writeString(folder.resolve("team.yaml"), "agents:\n  - name: Fresh\n");
    Path skill = Files.createDirectories(folder.resolve("skill"));
    Files.writeString(
        skill.resolve("SKILL.md"), "---\nname: knots\ndescription: Ties knots.\n---\nTie them.\n");
    var all = new LinkedHashMap<String, List<String>>();
    all.put("status", List.of());
    all.put("console", List.of());
    all.put("watch", List.of("--space", "nobody"));
    all.put("export", List.of());
    all.put("apply", List.of(team.toString(), "--dry-run"));
    all.put("send", List.of("mira", "hello"));
    all.put("inbox", List.of());
    addAgents(all, config, skill);
    addMessages(all);
    addSpaces(all);
    addWork(all);
    addMemory(all);
    all.put("person list", List.of());
    all.put("person create", List.of("newcomer"));
    all.put("person update", List.of("guest", "--role", "viewer"));
    all.put("token list", List.of());
    all.put("token create", List.of("--agent", "mira"));
    all.put("token rotate", List.of(id("token")));
    all.put("token revoke", List.of(id("doomed")));
    all.put("person remove", List.of("guest"));
    all.put("agent terminate", List.of("victim", "--yes"));
    all.put("stop", List.of());
    return all;
  }

  private void addAgents(Map<String, List<String>> all, Path config, Path skill) {
    all.put("agent list", List.of());
    all.put("agent tree", List.of());
    all.put("agent show", List.of("mira"));
    all.put("agent inspect", List.of("mira"));
    all.put("agent prompt", List.of("mira"));
    all.put("agent budget", List.of("mira"));
    all.put("agent create", List.of("fresh", "--provider", "external"));
    all.put("agent update", List.of("nobody", "--config", config.toString()));
    all.put("agent clone", List.of("mira", "Copy"));
    all.put("agent export", List.of("mira", "-o", folder.resolve("exported.yaml").toString()));
    all.put("agent import", List.of(skill.toString(), "--into", "nobody"));
    all.put("agent templates", List.of());
    all.put("agent template save", List.of("mira", "--name", "Other"));
    all.put("agent template delete", List.of(id("template")));
  }

  private void addMessages(Map<String, List<String>> all) {
    all.put("message list", List.of());
    for (String verb : List.of("show", "release", "retry", "withdraw")) {
      all.put("message " + verb, List.of(id("message")));
    }
    all.put("pending list", List.of());
    all.put("pending show", List.of(id("call")));
    all.put("pending answer", List.of(id("call"), "--decline"));
  }

  private static void addGoals(Map<String, List<String>> all) {
    all.put("goal list", List.of("mira"));
    all.put("goal set", List.of("mira", "Sail"));
    all.put("goal delete", List.of("mira", "nobody"));
    all.put("plan list", List.of("mira"));
    all.put("plan set", List.of("mira", "Morning", "Look out.", "--after", "2h"));
    all.put("plan delete", List.of("mira", "nobody"));
  }

  private void addSpaces(Map<String, List<String>> all) {
    all.put("space list", List.of());
    all.put("space create", List.of("Fresh"));
    for (String verb : List.of("show", "read", "members", "release")) {
      all.put("space " + verb, List.of("deck"));
    }
    all.put("space post", List.of("deck", "hello"));
    all.put("space react", List.of(id("post"), "👍"));
    all.put("space topic", List.of("deck", "wind"));
    all.put("space set", List.of("deck", "--name", "Deck"));
    all.put("space add", List.of("deck", "ada"));
    all.put("space remove", List.of("deck", "ada"));
  }

  private void addWork(Map<String, List<String>> all) {
    addGoals(all);
    all.put("run list", List.of());
    all.put("run show", List.of(id("run")));
    all.put("run cancel", List.of(id("run")));
    all.put("run replay", List.of(id("run")));
    all.put("run fork", List.of(id("run"), "--from-step", "1"));
    all.put("tool list", List.of("worker"));
    all.put("tool show", List.of("worker", "confirm"));
    all.put("tool call", List.of("worker", "confirm", "{}"));
    all.put("server list", List.of());
    all.put("server show", List.of("worker", "met"));
    all.put("server refresh", List.of("worker", "met"));
    all.put("server approve", List.of("worker", "local", "--yes"));
    all.put("server reject", List.of("worker", "met", "tide", "--yes"));
    all.put("workspace list", List.of());
    all.put("workspace files", List.of("mira"));
    all.put("workspace diff", List.of("mira"));
  }

  private static void addMemory(Map<String, List<String>> all) {
    all.put("memory list", List.of("mira"));
    all.put("memory show", List.of("mira", "notes"));
    all.put("memory history", List.of("mira", "notes"));
    all.put("memory set", List.of("mira", "notes", "Oslo"));
    all.put("memory undo", List.of("mira", "notes"));
    all.put("memory passages", List.of("mira"));
    all.put("memory search", List.of("mira", "wind"));
    all.put("memory add", List.of("mira", "It is windy."));
    all.put("memory share", List.of("news", "None.", "--read", "mira"));
    all.put("memory shared", List.of());
    all.put("memory unshare", List.of("news", "mira"));
    all.put("memory delete", List.of("mira", "notes"));
  }

  private String operator() throws IOException {
    return Files.readString(folder.resolve("operator.token")).strip();
  }

  private JsonNode ask(String method, String path, String body) {
    try {
      var request =
          HttpRequest.newBuilder(URI.create(daemon.url() + path))
              .header("Authorization", "Bearer " + operator())
              .method(
                  method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
              .build();
      var response = http.send(request, BodyHandlers.ofString());
      assertThat(response.statusCode()).as("%s %s", path, response.body()).isLessThan(300);
      return response.body().isEmpty() ? JSON.nullNode() : JSON.readTree(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    proxy.close();
    daemon.close();
    http.shutdownNow();
  }
}
