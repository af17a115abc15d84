package dev.substrat.provider.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.space.Space;
import dev.substrat.space.Spaces;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.Event;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.llm.ScriptedAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A space sees a visible call while the model is still writing it.
@OnOneDatabase
final class StreamedArgumentsTest {
  private static final String ARGUMENTS =
      "{\"question\": \"Shall we sail to the lighthouse tonight, or wait for a calmer sea?\"}";

  private final ModelTeam team;
  private final Agent ada;

  StreamedArgumentsTest(TestDatabase kind) {
    this.team = new ModelTeam(kind.dialect(), Duration.ofMillis(100));
    this.ada =
        team.agent(
            "ada",
            "openai",
            "",
            """
            tools:
              - name: ask_people
                description: Asks the people in the room.
                executionType: space
                inputSchema:
                  type: object
                  required: [question]
                  properties: { question: { type: string } }
            """);
    team.engine
        .spaces()
        .create(
            new Principal.OperatorPrincipal(),
            Spaces.SpaceDefinition.of("lab", Space.SpaceKind.PUBLIC, List.of(ada.handle())));
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private void enterAnd(ScriptedAnswer... answers) {
    team.llm.next(ScriptedAnswer.call("enter_space", "{\"spaceId\": \"lab\"}"));
    team.llm.next(answers);
    team.llm.next(ScriptedAnswer.text("asked"));
    team.answer("ada", "ask them");
    assertThat(team.lastRun(ada).response()).isEqualTo("asked");
  }

  private List<Event> ofTools(int number) {
    team.await(() -> ofTools().size() >= number);
    return ofTools();
  }

  private List<Event> ofTools() {
    return team.events.after(0, new Event.EventFilter(null, "lab", null), 1_000).stream()
        .filter(event -> event.kind().startsWith("tool-"))
        .toList();
  }

  private static String written(List<Event> events) {
    return events.stream()
        .filter(event -> event.kind().equals("tool-input-delta"))
        .map(event -> event.payload().path("delta").asText())
        .collect(Collectors.joining());
  }

  @Test
  @Requirement("S3-48")
  void arguments_are_streamed_in_parts_and_once() {
    enterAnd(ScriptedAnswer.call("ask_people", ARGUMENTS));

    List<Event> told = ofTools(3);
    assertThat(told).filteredOn(event -> event.kind().equals("tool-call.start")).hasSize(1);
    assertThat(told.getFirst().kind()).isEqualTo("tool-call.start");
    assertThat(told)
        .filteredOn(event -> event.kind().equals("tool-input-delta"))
        .hasSizeGreaterThan(1);
    assertThat(written(told)).isEqualTo(ARGUMENTS);
    assertThat(told)
        .extracting(event -> event.payload().path("callId").asText())
        .containsOnly(told.getFirst().payload().path("callId").asText());
  }

  @Test
  @Requirement("S3-48")
  void a_truncated_call_ends_with_an_error_and_is_streamed_again() {
    enterAnd(
        ScriptedAnswer.call("ask_people", ARGUMENTS).cutAfter(6),
        ScriptedAnswer.call("ask_people", ARGUMENTS));

    List<Event> told = ofTools(5);
    assertThat(told).filteredOn(event -> event.kind().equals("tool-call.start")).hasSize(2);
    Event first = told.getFirst();
    assertThat(told)
        .filteredOn(event -> event.kind().equals("tool-call.error"))
        .singleElement()
        .satisfies(event ->
            assertThat(event.payload().path("callId")).isEqualTo(first.payload().path("callId")));
    assertThat(
            written(
                told.stream()
                    .filter(event ->
                        !event.payload().path("callId").equals(first.payload().path("callId")))
                    .toList()))
        .isEqualTo(ARGUMENTS);
  }

  @Test
  void a_rejected_call_ends_with_an_error_event() {
    enterAnd(ScriptedAnswer.call("ask_people", "{\"wrong\": 1}"));

    List<Event> told = ofTools(3);
    assertThat(told.getLast().kind()).isEqualTo("tool-call.error");
    assertThat(Json.text(told.getLast().payload())).contains("not executed");
  }
}
