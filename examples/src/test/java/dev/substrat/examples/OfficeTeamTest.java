package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.teamtest.RecordedCall;
import dev.substrat.teamtest.RecordedTurn;
import dev.substrat.teamtest.SpacePost;
import dev.substrat.teamtest.TeamTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class OfficeTeamTest {
  private static final Path TEAM = Path.of("teams/office.yaml");

  @Test
  void all_agents_react_to_an_announcement_and_become_idle() throws IOException {
    try (var office = TeamTest.start()) {
      office.apply(Files.readString(TEAM));
      office.post("operator", "general", "The Henley order has doubled. Can we deliver by Friday?");

      office.runUntilDone();

      assertThat(office.posts("general"))
          .extracting(SpacePost::text)
          .contains(
              "Only if they pay half in advance.",
              "Then it is decided: half in advance, and we deliver on Friday.",
              "Viktor has the wood. I am calling Henley now.");
      assertThat(office.posts("dm-theo-viktor"))
          .extracting(SpacePost::author)
          .containsExactly("theo", "viktor");
      assertThat(office.posts("workshop")).extracting(SpacePost::author).containsExactly("viktor");
      assertThat(office.posts("kitchen"))
          .extracting(SpacePost::author)
          .containsExactly("june", "bo");
      assertThat(office.turns()).extracting(RecordedTurn::status).containsOnly("done");
    }
  }

  @Test
  void theo_updates_his_memory_block() throws IOException {
    try (var office = TeamTest.start()) {
      office.apply(Files.readString(TEAM));
      office.post("operator", "general", "The Henley order has doubled. Can we deliver by Friday?");

      office.runUntilDone();

      assertThat(office.calls("theo").stream().filter(call -> call.tool().equals("update_memory")))
          .extracting(call -> call.input().path("content").asText())
          .satisfiesExactly(
              first -> assertThat(first).startsWith("Nervous"),
              last -> assertThat(last).startsWith("Relieved. Viktor told me: There is enough."));
      assertThat(office.calls("rufus"))
          .extracting(RecordedCall::tool)
          .contains("do_nothing")
          .doesNotContain("send_message");
    }
  }
}
