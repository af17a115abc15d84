package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A custom tool does not route: an argument that looks like a space is an ordinary argument, and
/// the call is shown in the active space of its agent or nowhere.
@OnEveryDatabase
final class SpaceArgumentTest {
  private static final String ARGUMENTS =
      """
      {'spaceId': 'cabin', 'targetSpaceId': 'cabin', 'space': 'cabin', 'channelId': 'cabin'}\
      """;

  private final CustomToolTeam team;

  SpaceArgumentTest(TestDatabase kind) {
    this.team = new CustomToolTeam(kind.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @ParameterizedTest
  @CsvSource({"gateway, true", "external, true", "external, false", "space, false"})
  @Requirement({"S3-1", "S3-55"})
  void a_call_is_shown_in_the_active_space_whatever_its_arguments_name(
      String type, boolean hasAddress) {
    Agent ada = agentWithTool(type, hasAddress);

    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
    team.call(ada, "one", ARGUMENTS);

    assertThat(team.shown("lab")).hasSize(1);
    assertThat(CustomToolTeam.metadata(team.shown("lab").getFirst()).at("/input/spaceId").asText())
        .as("it is an argument like any other")
        .isEqualTo("cabin");
    assertThat(team.messages("cabin")).isEmpty();
    JsonNode posted = team.call(ada, "send_message", "{'text': 'still here'}");
    assertThat(posted.path("spaceId").asText()).isEqualTo("lab");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gateway", "external", "space"})
  @Requirement({"S3-1", "S3-55"})
  void a_call_without_an_active_space_is_shown_nowhere_whatever_its_arguments_name(String type) {
    Agent ada = agentWithTool(type, type.equals("gateway"));

    team.call(ada, "one", ARGUMENTS);

    assertThat(team.messages("lab")).isEmpty();
    assertThat(team.messages("cabin")).isEmpty();
    assertThat(team.told("tool-call")).isEmpty();
  }

  private Agent agentWithTool(String type, boolean hasAddress) {
    Agent ada =
        team.external(
            "- { name: one, description: A tool., executionType: %s, visible: true%s }\n"
                .formatted(type, hasAddress ? ", execution: { url: SERVICE/x }" : ""));
    team.space("lab", ada);
    team.space("cabin", ada);
    return ada;
  }
}
