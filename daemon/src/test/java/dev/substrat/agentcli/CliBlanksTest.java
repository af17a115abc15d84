package dev.substrat.agentcli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.daemon.TestDaemon;
import dev.substrat.http.Problems;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What an agent CLI is given must have no blank that nothing is filled into.
final class CliBlanksTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"env\":{\"A\":\"${HOME}\"} | /provider/env/A has a blank that nothing is filled into: ${HOME}",
        "\"baseUrl\":\"https://${evn.HOST}\" | /provider/baseUrl has a blank"
      })
  void a_blank_that_is_none_is_refused(String key, String words) {
    var answer =
        daemon.post(
            "/api/agents",
            "{\"name\":\"ada\",\"provider\":{\"name\":\"claude\",\"command\":[\"/bin/true\"],%s}}"
                .formatted(key));

    Problems.require(answer, 422, "INVALID_CONFIG");
    assertThat(answer.text("message")).contains(words);
    assertThat(answer.text("hint")).contains("did you mean ${env.");
  }
}
