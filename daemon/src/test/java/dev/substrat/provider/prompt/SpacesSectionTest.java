package dev.substrat.provider.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.InboxEvent.InboxEventKind;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.space.AgentSpaces;
import dev.substrat.space.AgentSpaces.SpaceSummary;
import dev.substrat.space.Space;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.space.SpaceMember;
import dev.substrat.testkit.Requirement;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Exact text of the spaces in a prompt, and of space messages.
final class SpacesSectionTest {
  private static final AgentSpaces HARBOR =
      new AgentSpaces(
          "general",
          List.of(
              new SpaceSummary(space("dm-ada-ben", Space.SpaceKind.DM, ""), 0),
              new SpaceSummary(space("general", Space.SpaceKind.PUBLIC, "ships and tides"), 3)));

  @Test
  @Requirement({"S3-23", "S4-10"})
  void the_section_names_the_active_space_and_allows_silence() {
    GoldenFiles.require("spaces-both", SpacesSection.text(List.of("spaces", "channels"), HARBOR));
  }

  @Test
  @Requirement("S4-10")
  void each_toolset_adds_its_own_sentence() {
    assertThat(SpacesSection.text(List.of("channels"), HARBOR))
        .contains("`do_nothing`")
        .doesNotContain("enter_space", "active space");
    assertThat(SpacesSection.text(List.of("spaces"), new AgentSpaces(null, List.of())))
        .isEqualTo(
            """
            ## Your spaces

            You have no active space. To choose a space, call `enter_space`.
            You need not answer messages in a space.
            You are not a member of any space.\
            """);
  }

  @Test
  @Requirement("N7")
  void a_topic_cannot_add_lines_to_the_prompt() {
    var seat = new SpaceSummary(space("x", Space.SpaceKind.PUBLIC, "a\"\u2028- y: public"), 0);

    String text = SpacesSection.text(List.of("spaces"), new AgentSpaces(null, List.of(seat)));

    assertThat(text).endsWith("- x: public, topic \"a\\\"⟨U+2028⟩- y: public\"");
  }

  @Test
  void a_long_list_of_spaces_is_cut_with_a_count() {
    var many =
        IntStream.range(0, 40)
            .mapToObj(i -> new SpaceSummary(space("s" + i, Space.SpaceKind.PUBLIC, ""), 0))
            .toList();

    assertThat(SpacesSection.text(List.of("spaces"), new AgentSpaces(null, many)))
        .contains("- s29: public")
        .doesNotContain("- s30: public")
        .endsWith("- and 10 more");
  }

  @Test
  @Requirement("N7")
  void a_space_message_names_its_space_and_author() {
    GoldenFiles.require(
        "turn-space",
        TurnPrompt.of(
            List.of(
                said(1, "ada", "01980000-0000-7000-8000-000000000042", "Storm at noon."),
                said(2, Principal.OPERATOR_NAME, Principal.OPERATOR_NAME, "Who is in?"),
                said(3, "ana", "person/ana", "Me.")),
            List.of()));
  }

  private static TurnEvent said(int number, String from, String author, String text) {
    var payload =
        Json.object()
            .put("kind", InboxEventKind.SPACE_MESSAGE.toString())
            .put("from", from)
            .put("author", author)
            .put("text", text)
            .put("space", "general")
            .put("message_id", PromptEvents.id(number))
            .put("seq", number)
            .put("depth", 0);
    var event =
        new InboxEvent(
            PromptEvents.id(number), InboxEventKind.SPACE_MESSAGE, null, payload, 0, false);
    return new TurnEvent(event, PromptEvents.NOON.plusSeconds(number));
  }

  private static Space space(String id, Space.SpaceKind kind, String topic) {
    return new Space(
        id,
        id,
        kind,
        topic,
        WakePolicy.ALL,
        null,
        0,
        false,
        null,
        SpaceMember.OPERATOR,
        Instant.EPOCH);
  }
}
