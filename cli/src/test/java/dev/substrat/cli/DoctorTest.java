package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DoctorTest extends PlayedCommands {

  @Test
  void the_doctor_says_whether_passages_are_found_by_their_meaning() {
    daemon.answers("GET /api/search", 200, "{\"meaning\":\"ready\",\"model\":\"small\"}");

    assertThat(run("doctor").out())
        .containsPattern("ok +search +by words and by meaning, with small");
  }

  @Test
  void the_doctor_says_why_they_are_not() {
    daemon.answers(
        "GET /api/search",
        200,
        "{\"meaning\":\"missing\",\"model\":\"small\",\"reason\":\"no glibc\"}");

    assertThat(run("doctor").out())
        .containsPattern("warn +search +by words only: small does not work here\\s+no glibc");
  }

  @Test
  void the_doctor_respects_that_somebody_has_decided_against_it() {
    daemon.answers("GET /api/search", 200, "{\"meaning\":\"off\"}");

    assertThat(run("doctor").out()).containsPattern("ok +search +by words only");
  }
}
