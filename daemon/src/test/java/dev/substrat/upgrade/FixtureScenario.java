package dev.substrat.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.server.Daemon;
import dev.substrat.server.TestClient;
import dev.substrat.store.Database;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.SettableClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/// Fills a database with everything that a daemon keeps, by running a daemon: finished work first,
/// then work of every kind that is still open. The snapshot is taken while the daemon runs, so that
/// it holds what a killed daemon would leave: leases, claimed events and runs without an end.
final class FixtureScenario implements AutoCloseable {
  static final Instant START = Instant.parse("2026-03-01T08:00:00Z");

  /// A PNG of one pixel.
  private static final String PIXEL =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  private final SettableClock clock = new SettableClock(START);

  /// Turns that sleep do not wake before the scenario is closed.
  private final CountDownLatch closing = new CountDownLatch(1);

  private final Daemon daemon;
  private final TestClient operator;
  private final Database database;
  private final HttpServer remote;

  FixtureScenario(TestDatabase place) throws IOException {
    this.remote = remoteServer();
    var settings =
        new DaemonSettings(
                "127.0.0.1", 0, place.directory(), place.url().orElse(null), 8, "warn", Set.of())
            .allowing(Set.of("127.0.0.1"), Set.of());
    this.daemon =
        Daemon.start(settings, Map.of(), new Daemon.DaemonClock(clock, _ -> closing.await()));
    this.operator =
        new TestClient(
            daemon.url(), Files.readString(place.directory().resolve("operator.token")).strip());
    this.database = place.open();
  }

  void run() {
    createTeam();
    people();
    finishedMessages();
    memory();
    spaces();
    pendingCalls();
    goalsAndReminders();
    versionsAndForks();
    openWork();
  }

  private void createTeam() {
    for (JsonNode agent : Yaml.own(resource("/upgrade/team.yaml"))) {
      require(operator.post("/api/agents", Json.text(agent)));
    }
    post(
        "/api/agents",
        """
        { name: rune, provider: { name: external },
          mcp: { servers: [ { name: charts, url: "http://127.0.0.1:%1$d/mcp" } ] },
          tools: [ { name: draw, description: Draws a picture., executionType: gateway,
            inputSchema: { type: object, properties: { prompt: { type: string } } },
            execution: { provider: openai, model: painter, baseUrl: "http://127.0.0.1:%1$d/v1" } } ] }
        """
            .formatted(remote.getAddress().getPort()));
    post("/api/agents/rune/mcp-servers/charts/look", "");
    await("select count(*) as n from remote_tool where verdict = 'approved'", 1);
    post("/api/tools/draw/call", "{ agent: rune, arguments: { prompt: a harbour } }");
    await("select count(*) as n from attachment", 1);
  }

  private void people() {
    post("/api/people", "{ name: ana, displayName: Ana }");
    post("/api/people", "{ name: bob }");
    post("/api/tokens", "{ person: bob, label: laptop }");
    require(operator.delete("/api/people/bob"));
    post("/api/tokens", "{ label: second }");
    String old = post("/api/tokens", "{ label: rotated }").path("id").asText();
    post("/api/tokens/" + old + "/rotate", "{ graceSeconds: 60 }");
    String revoked = post("/api/tokens", "{ label: revoked }").path("id").asText();
    require(operator.delete("/api/tokens/" + revoked));
    post("/api/tokens", "{ label: zoo, zoo: true, defaultAgent: mira }");
    post("/api/agents/olaf/tokens", "{ label: never used }");
  }

  private void finishedMessages() {
    awaitStatus(ask("mira", "circle one"), "replied");
    awaitStatus(ask("mira", "think one"), "replied");
    awaitStatus(ask("ada", "broadcast one"), "replied");
    await("select count(*) as n from message where text like '%noted by ben'", 1);
    awaitStatus(ask("noor", "spawn one"), "replied");
    await("select count(*) as n from message where text like 'completed: %'", 1);
    awaitStatus(tell("mira", "an unmatched note"), "read");
    tell("noor", "loop");
    await("select count(*) as n from message where held_reason is not null", 1);
    String expired = ask("olaf", "expires");
    clock.pass(Duration.ofMinutes(31));
    awaitStatus(expired, "expired");
    String dead = ask("tor", "dies");
    awaitDead(dead);
    // The first uses most of the budget, the second has to wait for more.
    awaitStatus(ask("spender", "spend one"), "replied");
    ask("spender", "spend two");
    post("/api/agents", "{ name: fired, provider: { name: external } }");
    ask("fired", "nobody is left");
    require(operator.delete("/api/agents/fired"));
  }

  /// Lets a message fail until it is given up.
  private void awaitDead(String message) {
    for (int attempts = 1; attempts < 5; attempts++) {
      await(
          "select max(attempts) as n from inbox_event where id = '%s'".formatted(message),
          attempts);
      // Each retry waits longer than the one before.
      clock.pass(Duration.ofSeconds(10));
    }
    awaitStatus(message, "dead");
  }

  private void memory() {
    var eva = external("eva");
    call(eva, "update_memory", "{ label: persona, content: \"Eva checks numbers.\" }");
    call(eva, "update_memory", "{ label: persona, content: \"Eva checks numbers and dates.\" }");
    call(eva, "store_memory", "{ content: \"The harbour is closed in March.\", tags: [harbour] }");
    call(eva, "store_memory", "{ content: \"Tides are highest at new moon.\", tags: [tides] }");
    call(eva, "set_memories", "{ memories: [ { key: berth, value: north } ] }");
    post(
        "/api/agents/eva/brain",
        "{ title: Contacts, content: \"Call the pilot.\", tags: [pilot] }");
    post(
        "/api/shared-blocks",
        "{ label: house-rules, content: \"Be brief.\", agents: [ { agent: eva, mayWrite: true }, { agent: mira, mayWrite: false } ] }");
    await("select count(*) as n from passage_vector where vector is not null", 2);
  }

  private void spaces() {
    post("/api/spaces", "{ id: general, name: General, topic: Everything, members: [cora, ana] }");
    post(
        "/api/spaces",
        "{ id: cabinet, name: Cabinet, kind: private, wakePolicy: mention, members: [cora, operator] }");
    post(
        "/api/spaces",
        "{ id: rounds, name: Rounds, wakePolicy: sequential, members: [cora, inga, gustav] }");
    post("/api/spaces", "{ id: talk, name: Talk, members: [cora, dora] }");
    post("/api/spaces", "{ id: archive, name: Archive, wakePolicy: none }");
    var ana = person();
    String said = say(ana, "general", "good morning");
    await("select count(*) as n from space_message where text = 'cora read good morning'", 1);
    require(
        ana.post(
            "/api/spaces/general/messages",
            json("{ text: \"thanks\", parentId: \"%s\" }".formatted(said))));
    require(ana.post("/api/messages/" + said + "/reactions", json("{ emoji: \"🎉\" }")));
    say(operator, "cabinet", "for @cora only");
    say(operator, "archive", "for the record");
    say(operator, "talk", "talk now");
    Await.until(
        () -> {
          // Agents are woken by a space once every two seconds.
          clock.pass(Duration.ofSeconds(3));
          return count("select count(*) as n from space where held_reason is not null") > 0;
        },
        () -> "no message was held in a space");
    say(ana, "dm-ana-cora", "hello cora");
    await("select count(*) as n from space_message where text = 'cora read hello cora'", 1);
    var eva = external("eva");
    call(eva, "send_message", "{ channelId: dm-dora-eva, text: \"hello dora\" }");
    call(eva, "enter_space", "{ spaceId: general }");
    call(eva, "subscribe", "{ name: ben }");
  }

  private void pendingCalls() {
    ask("petra", "measure one");
    JsonNode first = awaitPending("measure");
    post(
        "/api/runs/" + first.path("runId").asText() + "/tool-results",
        "{ callId: \"%s\", result: { metres: 4 } }".formatted(first.path("callId").asText()));
    await("select count(*) as n from message where text like 'result: %'", 1);
    ask("petra", "measure soon");
    awaitPending("measureSoon");
    clock.pass(Duration.ofMinutes(2));
    await("select count(*) as n from pending_call where status = 'expired'", 1);
    ask("petra", "confirm one");
    JsonNode declined = awaitPending("confirm");
    post(
        "/api/pending/" + declined.path("callId").asText() + "/answer",
        "{ declined: true, reason: \"not today\" }");
    await("select count(*) as n from pending_call where status not in ('pending', 'asking')", 3);
  }

  private void goalsAndReminders() {
    awaitStatus(ask("lars", "plan one"), "replied");
    awaitStatus(ask("lars", "remind soon"), "replied");
    clock.pass(Duration.ofSeconds(6));
    await("select count(*) as n from message where text = 'reminder of remind soon'", 1);
    await("select count(*) as n from message where text = 'plan once'", 1);
    awaitStatus(ask("lars", "remind later"), "replied");
  }

  private void versionsAndForks() {
    JsonNode config = operator.get("/api/agents/dora/config").body();
    ((ObjectNode) config).put("description", "Talks a lot.");
    require(operator.send("PUT", "/api/agents/dora", Json.text(config)));
    post("/api/templates", "{ agent: dora, name: Talker }");
    post("/api/agents/dora/clone", "{ name: dora two, memory: true }");
    String run =
        operator.get("/api/runs?agent=ben").body().path("runs").path(0).path("id").asText();
    post("/api/runs/" + run + "/fork", "{ fromStep: 1, name: ben fork }");
    post("/api/agents/eva/budget", "{ turns: 50 }");
  }

  /// Unfinished work, in the order in which an engine would meet it.
  private void openWork() {
    awaitRestExcept("none");
    // Asked and not seen.
    post("/api/agents/gustav/gate", "{ gated: true }");
    ask("gustav", "waits at the gate");
    tell("gustav", "a note at the gate");
    say(person(), "dm-ana-gustav", "are you there?");
    // A round that waits for a member in the middle of its turn.
    say(operator, "rounds", "round one");
    awaitTurnOf("inga");
    ask("inga", "waits behind the round");
    // Three messages in a turn that does not end: the first is shown, the others are only claimed.
    // One more arrives later.
    post("/api/agents/ivar/gate", "{ gated: true }");
    ask("ivar", "claimed and shown");
    ask("ivar", "claimed");
    tell("ivar", "a claimed note");
    post("/api/agents/ivar/gate", "{ gated: false }");
    awaitTurnOf("ivar");
    ask("ivar", "not claimed");
    // Delegated to a child that has not seen it, and to one that has.
    ask("mira", "delegate unseen");
    await("select count(*) as n from message where text = 'delegate unseen'", 2);
    awaitRestExcept("inga", "ivar");
    ask("olaf", "seen and not answered");
    call(external("olaf"), "check_inbox", "{}");
    ask("olaf", "not seen");
    // Failed and waiting for its next attempt.
    ask("tor", "fails again");
    await("select count(*) as n from inbox_event where attempts > 0", 1);
    // Open calls: one for a service, one for a person.
    ask("petra", "measure two");
    awaitPending("measure");
    ask("petra", "confirm two");
    awaitPending("confirm");
    // Answers to a broadcast are welcome for a while.
    ask("ada", "broadcast two");
    awaitRestExcept("inga", "ivar");
  }

  private void awaitTurnOf(String agent) {
    await(
        """
        select count(*) as n from run join agent on agent.id = run.agent_id
        join run_event on run_event.run_id = run.id
        where run.status = 'running' and agent.name = '%s' and run_event.shown_at is not null
        """
            .formatted(agent),
        1);
  }

  /// Waits until no agent but these works or is about to.
  private void awaitRestExcept(String... names) {
    String busy =
        """
        select (select count(*) from run join agent on agent.id = run.agent_id
                where run.status = 'running' and agent.name not in ('%1$s'))
             + (select count(*) from inbox_event join agent on agent.id = inbox_event.agent_id
                where agent.name not in ('%1$s', 'spender')
                  and agent.provider <> 'external' and agent.gated = 0
                  and inbox_event.held = 0 and inbox_event.attempts = 0) as n
        """
            .formatted(String.join("', '", names));
    Await.until(
        () -> {
          clock.pass(Duration.ofMillis(10));
          return count(busy) == 0;
        },
        () ->
            "not at rest: "
                + database.read(tx ->
                    tx.list(
                        "select name || ' ' || payload as t from inbox_event join agent on agent.id = agent_id",
                        row -> row.text("t"))));
  }

  private String ask(String agent, String text) {
    return send(agent, text, true);
  }

  private String tell(String agent, String text) {
    return send(agent, text, false);
  }

  private String send(String agent, String text, boolean sync) {
    clock.pass(Duration.ofMillis(50));
    return post(
            "/api/agents/" + agent + "/messages",
            "{ text: \"%s\", sync: %s }".formatted(text, sync))
        .path("message_id")
        .asText();
  }

  private String say(TestClient who, String space, String text) {
    clock.pass(Duration.ofMillis(50));
    return require(
            who.post(
                "/api/spaces/" + space + "/messages", json("{ text: \"%s\" }".formatted(text))))
        .path("id")
        .asText();
  }

  private TestClient person() {
    return new TestClient(
        daemon.url(), post("/api/tokens", "{ person: ana }").path("token").asText());
  }

  private TestClient external(String agent) {
    return new TestClient(
        daemon.url(),
        post("/api/agents/" + agent + "/tokens", "{ label: client }").path("token").asText());
  }

  private void call(TestClient agent, String tool, String arguments) {
    clock.pass(Duration.ofMillis(50));
    var answer =
        require(
            agent.post(
                "/mcp",
                json(
                    "{ jsonrpc: \"2.0\", id: 1, method: tools/call, params: { name: %s, arguments: %s } }"
                        .formatted(tool, arguments))));
    assertThat(answer.path("result").path("isError").asBoolean(true))
        .as(answer.toString())
        .isFalse();
  }

  private JsonNode awaitPending(String tool) {
    Await.until(() -> !pending(tool).isMissingNode());
    return pending(tool);
  }

  private JsonNode pending(String tool) {
    for (JsonNode call : operator.get("/api/pending").body().path("pending")) {
      if (call.path("tool").asText().equals(tool)) {
        return call;
      }
    }
    return MissingNode.getInstance();
  }

  private void awaitStatus(String message, String status) {
    Await.until(
        () -> status(message).equals(status),
        () -> operator.get("/api/messages/" + message).body().toString());
  }

  private String status(String message) {
    return operator.get("/api/messages/" + message).body().path("status").asText();
  }

  private void await(String query, long atLeast) {
    Await.until(() -> count(query) >= atLeast, () -> query + " is " + count(query));
  }

  private long count(String query) {
    return database.read(tx -> tx.list(query, row -> row.number("n"))).getFirst();
  }

  private JsonNode post(String path, String yaml) {
    return require(operator.post(path, yaml.isEmpty() ? "" : json(yaml)));
  }

  private static JsonNode require(TestClient.Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isBetween(200, 299);
    return answer.body();
  }

  private static String json(String yaml) {
    return Json.text(Yaml.own(yaml));
  }

  static String resource(String name) {
    try (var file = FixtureScenario.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// An MCP server with one tool, and a service that makes images.
  private static HttpServer remoteServer() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/mcp",
        exchange -> {
          JsonNode request = Json.parse(exchange.getRequestBody().readAllBytes());
          String result =
              switch (request.path("method").asText()) {
                case "initialize" ->
                    "{protocolVersion: \"2025-06-18\", capabilities: {tools: {}}, serverInfo: {name: charts, version: \"1\"}}";
                case "tools/list" ->
                    "{tools: [{name: find_chart, description: Finds a chart., inputSchema: {type: object}}]}";
                default -> "{}";
              };
          boolean isRequest = request.has("id");
          byte[] body =
              isRequest
                  ? Json.bytes(
                      Map.of(
                          "jsonrpc", "2.0", "id", request.path("id"), "result", Yaml.own(result)))
                  : new byte[0];
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(isRequest ? 200 : 202, isRequest ? body.length : -1);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.createContext(
        "/v1/images/generations",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          byte[] body = Json.bytes(Yaml.own("{data: [{b64_json: %s}]}".formatted(PIXEL)));
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  @Override
  public void close() {
    closing.countDown();
    operator.close();
    daemon.close();
    remote.stop(0);
  }
}
