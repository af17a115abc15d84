package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.space.SpaceChange;
import dev.substrat.space.SpaceMessages;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.team.ToolsetName;
import dev.substrat.tool.ToolCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A daemon with one caller of every kind, and things that requests can be about.
///
/// The spaces `harbor` (private) and `plaza` (public) have the members ada, ben, mona and vera;
/// `cabin` has ada only. Ada asks in harbor.
final class EntryPointTeam implements AutoCloseable {
  /// The kinds of callers. Of those with a role, `name` is the person's.
  enum Caller {
    NONE("no token", null),
    REVOKED("revoked token", null),
    AGENT("agent in the space", null),
    ZOO("zoo client", null),
    ELSEWHERE("scopes of other things", null),
    VIEWER("viewer in the space", "vera"),
    MEMBER("member in the space", "mona"),
    OUTSIDER("member outside", "otis"),
    OPERATOR("operator", "oleg"),
    OWNER("owner", Principal.OPERATOR_NAME);

    final String title;
    final @Nullable String name;

    Caller(String title, @Nullable String name) {
      this.title = title;
      this.name = name;
    }
  }

  private static final Principal OWNER = new Principal.OperatorPrincipal();
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String ADA =
      """
      {"name":"ada","provider":{"name":"external"},"toolsets":%s,"tools":[
        {"name":"confirm","description":"Asks.","executionType":"space",
         "display":{"customUI":"confirmAction","title":"Sure?"}}]}
      """
          .formatted(Json.text(ToolsetName.words()));

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  final TestDaemon daemon = TestDaemon.on(place);
  private final TestClient anyone = daemon.as("");
  private final Map<Caller, String> tokens = new EnumMap<>(Caller.class);
  private final Map<Caller, String> cookies = new EnumMap<>(Caller.class);
  private final Set<String> members;
  private int children;

  EntryPointTeam() {
    created("/api/agents", ADA);
    agent("ben", "");
    agent("cleo", "");
    people();
    this.members = Set.of(id("ada"), id("ben"), "person/mona", "person/vera");
    for (String space : List.of("harbor", "yard", "cabin")) {
      created("/api/spaces", "{\"name\":\"%s\",\"kind\":\"private\"}".formatted(space));
    }
    created("/api/spaces", "{\"name\":\"plaza\"}");
    daemon.engine().spaces().add(OWNER, "cabin", id("ada"));
    restore();
    tokens.put(Caller.AGENT, created("/api/agents/ada/tokens", "{}").path("token").asText());
    tokens.put(Caller.ZOO, token("{\"zoo\":true,\"agents\":[\"ben\"]}"));
    tokens.put(Caller.ELSEWHERE, token("{\"scopes\":%s}".formatted(Json.text(elsewhere()))));
    String revoked = token("{}");
    assertThat(daemon.delete("/api/tokens/" + revoked.split("_", 3)[1]).status()).isEqualTo(204);
    tokens.put(Caller.REVOKED, revoked);
    assertThat(call("ada", "enter_space", "{'spaceId':'harbor'}").path("code").asText()).isEmpty();
  }

  private void people() {
    tokens.put(Caller.OWNER, daemon.token());
    for (Caller role : List.of(Caller.VIEWER, Caller.MEMBER, Caller.OUTSIDER, Caller.OPERATOR)) {
      String word = role == Caller.OUTSIDER ? "member" : role.name().toLowerCase(Locale.ROOT);
      created("/api/people", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(role.name, word));
      tokens.put(role, token("{\"person\":\"%s\"}".formatted(role.name)));
    }
    for (Caller human : Caller.values()) {
      if (human.name != null) {
        signIn(human);
      }
    }
  }

  private void signIn(Caller human) {
    var opened = anyone.post("/login", Json.text(Map.of("token", tokens.getOrDefault(human, ""))));
    assertThat(opened.status()).as("%s", opened).isEqualTo(204);
    cookies.put(human, opened.header("Set-Cookie").split(";", 2)[0]);
  }

  /// Everything that can be limited, limited to ben and to yard.
  private static List<String> elsewhere() {
    return Stream.of(Scope.values())
        .flatMap(scope ->
            scope.filters().stream()
                .map(filter ->
                    scope.word()
                        + (filter == Scope.ScopeFilter.AGENT ? " agent=ben" : " space=yard")))
        .toList();
  }

  /// Members and settings as they are at the beginning.
  void restore() {
    var spaces = daemon.engine().spaces();
    for (String space : List.of("harbor", "plaza")) {
      Set<String> now =
          spaces.members(OWNER, space).stream()
              .map(one -> one.member().key())
              .collect(Collectors.toSet());
      members.stream()
          .filter(key -> !now.contains(key))
          .forEach(key -> spaces.add(OWNER, space, key));
      now.stream()
          .filter(key -> !members.contains(key))
          .forEach(key -> spaces.remove(OWNER, space, key));
      spaces.change(OWNER, space, new SpaceChange(null, "", WakePolicy.MENTION, null));
    }
  }

  /// A new message of mona.
  String message(String space) {
    return message(new Principal.PersonPrincipal("mona"), space);
  }

  /// A new message of the owner.
  String cabinMessage() {
    return message(OWNER, "cabin");
  }

  private String message(Principal author, String space) {
    var post = new SpaceMessages.PostRequest(space, "all aboard");
    return daemon.engine().spaces().messages().post(author, post, null).id().value();
  }

  /// A new call of ada that waits for an answer in harbor.
  String pendingCall() {
    var asked = daemon.post("/api/tools/confirm/call", "{\"agent\":\"ada\",\"arguments\":{}}");
    assertThat(asked.text("status")).as("%s", asked).isEqualTo("pending");
    return asked.text("pendingToolCallId");
  }

  /// Ada's run.
  String run() {
    return daemon.get("/api/runs?agent=ada").body().at("/runs/0/id").asText();
  }

  /// A new child of ada; its name.
  String child() {
    String name = "kid-" + children++;
    agent(name, ",\"parent\":\"ada\"");
    return name;
  }

  /// What a caller gets with its token.
  String outcome(Caller caller, String method, EntryPointTable.Shot shot) {
    return outcome(method, shot, tokens.getOrDefault(caller, ""), "");
  }

  /// What a person gets with a browser session.
  String sessionOutcome(Caller caller, String method, EntryPointTable.Shot shot) {
    return outcome(method, shot, "", Objects.requireNonNull(cookies.get(caller)));
  }

  private String outcome(String method, EntryPointTable.Shot shot, String token, String cookie) {
    var headers = new ArrayList<String>(List.of("Origin", daemon.url()));
    if (shot.isForm()) {
      headers.addAll(List.of("Content-Type", FORM));
    }
    if (!token.isEmpty()) {
      headers.addAll(List.of("Authorization", "Bearer " + token));
    }
    if (!cookie.isEmpty()) {
      headers.addAll(List.of("Cookie", cookie));
    }
    var answer = anyone.send(method, shot.path(), shot.body(), headers.toArray(String[]::new));
    if (answer.status() < 400) {
      return "ok";
    }
    String code = answer.text("code");
    // Many failures in a row are slowed down; only those without a valid token are counted.
    return answer.status() == 401 || code.equals("RATE_LIMITED")
        ? "401"
        : answer.status() + " " + code;
  }

  /// The result of a tool that an agent calls.
  JsonNode call(String agent, String tool, String arguments) {
    var engine = daemon.engine();
    var caller = engine.externalRuns().caller(engine.agents().require(agent));
    var call = new ToolCall(caller, 0, MessageId.random().value(), null);
    var input = (ObjectNode) Json.own(arguments.replace('\'', '"'));
    return engine.pipeline().call(call, tool, input).reply().json();
  }

  /// The names of the tools that change something, of an agent with all toolsets.
  List<String> writingTools() {
    Agent ada = daemon.engine().agents().require("ada");
    return daemon.engine().pipeline().listed(ada).stream()
        .filter(tool -> !tool.effect().isReadOnly())
        .map(tool -> tool.name())
        .filter(name -> !name.equals("confirm"))
        .sorted()
        .toList();
  }

  /// The same for a zoo client.
  List<String> writingZooTools() {
    return zoo("tools/list", Json.object())
        .path("tools")
        .valueStream()
        .filter(tool -> !tool.at("/annotations/readOnlyHint").asBoolean())
        .map(tool -> tool.path("name").asText())
        .sorted()
        .toList();
  }

  /// A request of the zoo client, which sees ben only.
  JsonNode zoo(String method, ObjectNode parameters) {
    var request = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", method);
    request.set("params", parameters);
    try (var client = daemon.as(tokens.getOrDefault(Caller.ZOO, ""))) {
      return client.post("/mcp", Json.text(request)).body().path("result");
    }
  }

  String id(String agent) {
    return daemon.engine().agents().require(agent).id().value();
  }

  private void agent(String name, String more) {
    created(
        "/api/agents",
        "{\"name\":\"%s\",\"provider\":{\"name\":\"external\"},\"toolsets\":%s%s}"
            .formatted(name, Json.text(ToolsetName.words()), more));
  }

  private String token(String wish) {
    return created("/api/tokens", wish).path("token").asText();
  }

  private JsonNode created(String path, String body) {
    var answer = daemon.post(path, body);
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
    return answer.body();
  }

  @Override
  public void close() throws IOException {
    anyone.close();
    daemon.close();
    place.close();
  }
}
