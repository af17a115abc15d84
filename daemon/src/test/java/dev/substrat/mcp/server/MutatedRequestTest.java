package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Thousands of damaged requests of both eras.
final class MutatedRequestTest {
  private static final int PRANKS = Boolean.getBoolean("substrat.full") ? 100_000 : 5_000;
  private static final int PRANKSTERS = 8;
  private static final long SEED = Long.getLong("substrat.seed", 1);

  /// Possible outcomes of a request.
  private enum Outcome {
    RESULT,
    ERROR,
    REFUSED,
    HEARD
  }

  /// Several at a time; each has its own seed, so that any of them can be played again.
  @Test
  @Timeout(1_200)
  void each_mutated_request_is_answered_or_rejected() throws Exception {
    var ends = new ConcurrentHashMap<Outcome, Integer>();
    try (var place = TestDatabase.fresh(Dialect.SQLITE);
        var team = new McpTeam(place);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      TestClient ada = team.client("ada");
      var pranksters = new ArrayList<Future<?>>();
      for (long seed = SEED; seed < SEED + PRANKSTERS; seed++) {
        long own = seed;
        pranksters.add(threads.submit(() -> play(own, ada, ends)));
      }
      for (Future<?> prankster : pranksters) {
        prankster.get();
      }
      assertThat(McpTeam.tools(ada)).contains("send_message");
    }
    assertThat(ends).containsOnlyKeys(Outcome.values());
    assertThat(ends.values()).allSatisfy(times -> assertThat(times).isGreaterThan(PRANKS / 200));
  }

  private static void play(long seed, TestClient client, Map<Outcome, Integer> ends) {
    var mischief = new RequestMutator(seed);
    for (int i = 0; i < PRANKS / PRANKSTERS; i++) {
      RequestMutator.Mutation prank = mischief.next();
      var answer = prank.play(client);
      ends.merge(end(answer, "number " + i + " of seed " + seed + ": " + prank), 1, Integer::sum);
    }
  }

  private static Outcome end(TestClient.Answer answer, String what) {
    JsonNode body = answer.body();
    assertThat(answer.status()).as("%s: %s", what, body).isIn(200, 202, 400, 404);
    if (answer.status() == 202) {
      assertThat(body.isMissingNode()).as(what).isTrue();
      return Outcome.HEARD;
    }
    for (JsonNode one : body.isArray() ? body : Map.of("", body).values()) {
      assertThat(one.path("jsonrpc").asText()).as("%s: %s", what, body).isEqualTo("2.0");
      assertThat(one.has("id")).as("%s: %s", what, body).isTrue();
      boolean isOne = one.path("result").isObject() != one.path("error").path("code").isInt();
      assertThat(isOne).as("%s: %s", what, body).isTrue();
    }
    boolean isResult = body.has("result") || body.isArray();
    return isResult ? Outcome.RESULT : answer.status() == 200 ? Outcome.ERROR : Outcome.REFUSED;
  }
}
