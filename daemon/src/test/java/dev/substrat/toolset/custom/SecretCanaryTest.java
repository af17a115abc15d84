package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.CapturedLog;
import dev.substrat.store.DatabaseText;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.EchoedSecret;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A secret in every place of a custom tool, services that echo it in every encoding, and every
/// kind of failure: it is only sent to the service and appears nowhere else. For remote servers see
/// RemoteSecretsTest.
@OnEveryDatabase
final class SecretCanaryTest {
  private static final String KEY = "headers: { X-Key: '${env.KEY}' }";

  /// With the type of the tool in front.
  private static final List<String> TOOLS =
      List.of(
          "gateway, execution: { url: 'SERVICE/echo', headers: { Authorization: 'Bearer ${env.KEY}' } }",
          "gateway, execution: { url: 'SERVICE/echo/${env.KEY}/x' }",
          "gateway, execution: { url: 'SERVICE/echo?key=${env.KEY}' }",
          "gateway, execution: { url: 'SERVICE/echo', queryParams: { key: '${env.KEY}' } }",
          "gateway, execution: { url: 'SERVICE/echo', method: POST, body: { key: '${env.KEY}' } }",
          "gateway, execution: { url: 'SERVICE/echo', method: POST, body: 'key ${env.KEY}' }",
          "gateway, execution: { url: 'SERVICE/text', " + KEY + " }",
          "gateway, execution: { url: 'SERVICE/fail', " + KEY + " }",
          "gateway, execution: { url: 'SERVICE/lines', " + KEY + " }",
          "gateway, execution: { url: 'SERVICE/events', " + KEY + " }",
          "gateway, visible: false, execution: { url: 'SERVICE/lines', " + KEY + " }",
          "gateway, execution: { url: 'http://${env.KEY}.invalid/' }",
          "gateway, execution: { url: 'http://${env.KEY}.internal/' }",
          "gateway, execution: { url: 'http://10.0.0.1/${env.KEY}' }",
          "gateway, execution: { url: 'http://127.0.0.1:1/${env.KEY}', " + KEY + " }",
          "gateway, execution: { url: 'ftp://${env.KEY}/' }",
          "gateway, execution: { url: 'SERVICE/echo', headers: { X-Key: \"${env.KEY}\\nx\" } }",
          "external, execution: { url: 'SERVICE/echo', " + KEY + " }",
          "external, execution: { url: 'SERVICE/job', callback: true, " + KEY + " }",
          "external, execution: { url: 'SERVICE/fail', callback: true, " + KEY + " }",
          "internal, execution: { value: { key: 'it is ${env.KEY}' } }",
          "gateway, execution: { provider: openai, baseUrl: 'SERVICE/v1', apiKey: '${env.KEY}' }",
          "gateway, execution: { provider: openai, baseUrl: 'SERVICE/${env.KEY}', apiKey: '${env.KEY}' }",
          "gateway, execution: { provider: openai, baseUrl: 'http://127.0.0.1:1/${env.KEY}' }",
          "gateway, execution: { provider: openai, baseUrl: 'http://${env.KEY}.internal/v1' }");

  private final TestDatabase kind;

  SecretCanaryTest(TestDatabase kind) {
    this.kind = kind;
  }

  private static String all() {
    var tools = new StringBuilder();
    for (int i = 0; i < TOOLS.size(); i++) {
      tools.append(
          "- { name: t%d, description: d, middleware: [log, cache], executionType: %s }\n"
              .formatted(i, TOOLS.get(i)));
    }
    return tools.toString();
  }

  private static void sayAgain(FakeService service, String secret) {
    String again = EchoedSecret.in(secret);
    service.answers("/echo", 200, "application/json", again);
    service.answers("/echo/" + secret + "/x", 200, "text/plain", "you said " + secret);
    service.answers("/text", 200, "text/plain", again);
    service.answers("/fail", 401, "text/plain", "bad key " + again.substring(0, 300));
    service.answers("/job", 202, "application/json", again);
    service.answers("/lines", 200, "application/x-ndjson", again + "\n" + again + "\n");
    service.answers(
        "/events", 200, "text/event-stream", "data: " + again + "\n\ndata: " + again + "\n\n");
    String image =
        "{\"data\":[{\"b64_json\":\"iVBORw0KGgo=\",\"revised_prompt\":\"a boat with %s\"}]}"
            .formatted(secret);
    service.answers("/v1/images/generations", 200, "application/json", image);
    service.answers("/" + secret + "/images/generations", 401, "text/plain", again);
  }

  @ParameterizedTest
  @Requirement("S3-16")
  @ValueSource(strings = {CustomToolTeam.SECRET, EchoedSecret.AWKWARD, EchoedSecret.NUMBER})
  void a_secret_is_only_sent_to_the_service(String secret) throws IOException {
    try (var team = new CustomToolTeam(kind.dialect(), secret);
        var log = new CapturedLog()) {
      sayAgain(team.service, secret);
      Agent ada = team.external(all());
      team.space("lab", ada);
      team.call(ada, "enter_space", "{'spaceId': 'lab'}");
      var replies = new ArrayList<JsonNode>();
      var heard = new ArrayList<JsonNode>();
      for (int i = 0; i < TOOLS.size(); i++) {
        replies.add(team.call(ada, "t" + i, "{'prompt': 'a boat'}", "k" + i, heard::add));
      }
      assertThat(team.service.requests)
          .as("it was on the wire")
          .anyMatch(request -> request.toString().contains(secret));
      assertThat(replies).filteredOn(reply -> reply.path("ok").asBoolean()).hasSizeGreaterThan(6);
      assertThat(replies).anyMatch(reply -> reply.path("revisedPrompt").asText().contains("["));
      assertThat(heard).as("three tools that answer in two parts").hasSize(6);
      String kept = DatabaseText.in(team.place, team.database);
      assertThat(kept).contains("Bearer ${env.KEY}");
      EchoedSecret.assertNowhere(
          secret, List.of(Json.text(replies), Json.text(heard), log.all(), kept));
    }
  }
}
