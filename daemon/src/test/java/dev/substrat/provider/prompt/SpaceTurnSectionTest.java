package dev.substrat.provider.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.space.Space;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.TurnSpace;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.Requirement;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Exact text of the paragraph before a turn that is about a space.
final class SpaceTurnSectionTest {
  private static final TurnSpace GENERAL = turn("general", Space.SpaceKind.PUBLIC, null);
  private static final TurnSpace OF_ANA = turn("dm-ada-ana", Space.SpaceKind.DM, "ana");

  @Test
  @Requirement({"C19", "S4-10"})
  void the_section_explains_how_to_answer_with_the_agents_tools() {
    assertThat(notice("[spaces, channels]", "", GENERAL))
        .isEqualTo(
            "This turn is in space `general`. To answer there, call `send_message` without an address:"
                + " your final text is not posted. You need not answer; call `do_nothing` to stay"
                + " silent.");
    assertThat(notice("[channels]", "", GENERAL))
        .isEqualTo(
            "This turn is in space `general`. To answer there, call `send_message` with the channelId"
                + " general: your final text is not posted. You need not answer; call `do_nothing`"
                + " to stay silent.");
    assertThat(notice("[spaces]", "", GENERAL))
        .isEqualTo(
            "This turn is in space `general`. To answer there, call `send_message` without an address:"
                + " your final text is not posted. You need not answer.");
    assertThat(notice("[team]", "", GENERAL))
        .isEqualTo("This turn is in space `general`. Your final text is not posted there.");
  }

  @Test
  @Requirement("C19")
  void the_section_says_that_the_final_text_is_posted() {
    assertThat(notice("[team]", "", OF_ANA))
        .isEqualTo(
            "This turn is in space `dm-ada-ana`, your direct messages with ana. Your final text is posted"
                + " there. An empty final text posts nothing.");
    assertThat(notice("[spaces]", "", OF_ANA))
        .isEqualTo(
            "This turn is in space `dm-ada-ana`, your direct messages with ana. Your final text is posted"
                + " there, unless you post there with `send_message`. An empty final text posts"
                + " nothing.");
    assertThat(notice("[spaces]", "spaces: { finalText: post }", GENERAL))
        .isEqualTo(
            "This turn is in space `general`. Your final text is posted there, unless you post there with"
                + " `send_message`. An empty final text posts nothing.");
    assertThat(notice("[spaces]", "spaces: { finalText: keep }", OF_ANA))
        .as("a person's DM is always answered")
        .contains("Your final text is posted there");
  }

  private static String notice(String toolsets, String more, TurnSpace turn) {
    var yaml = "name: ada\ntoolsets: %s\n%s".formatted(toolsets, more);
    AgentConfig config = Json.as(Yaml.own(yaml), AgentConfig.class);
    var ada =
        new Agent(
            AgentId.random(), "ada", "ada", "worker", null, config, false, Instant.EPOCH, null);
    return SpaceTurnSection.of(ada, turn);
  }

  private static TurnSpace turn(String id, Space.SpaceKind kind, @Nullable String person) {
    return new TurnSpace(
        new Space(
            id,
            id,
            kind,
            "",
            WakePolicy.ALL,
            null,
            0,
            false,
            null,
            SpaceMember.OPERATOR,
            Instant.EPOCH),
        person);
  }
}
