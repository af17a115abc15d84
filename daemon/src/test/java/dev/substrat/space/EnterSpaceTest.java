package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.Principal;
import dev.substrat.space.Space.SpaceKind;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// `enter_space`: which spaces an agent can enter, and what it gets.
@OnEveryDatabase
final class EnterSpaceTest {
  private final SpaceTeam team;
  private final Agent ada;
  private final Agent ben;
  private final Agent noor;

  EnterSpaceTest(TestDatabase kind) {
    this.team = new SpaceTeam(kind.dialect());
    this.ada = team.external("ada");
    this.ben = team.external("ben");
    this.noor = team.external("noor");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("S3-23")
  void an_agent_cannot_enter_a_private_space_or_a_dm_of_others() {
    team.room("cabin", WakePolicy.ALL, ada, ben);
    Space dm =
        team.spaces.create(
            new Principal.OperatorPrincipal(),
            Spaces.SpaceDefinition.of("x", SpaceKind.DM, List.of("ada", "ben")));
    team.say("cabin", "the treasure");

    for (String foreign : List.of("cabin", dm.id())) {
      JsonNode refused = team.call(noor, "enter_space", "{'spaceId':'%s'}".formatted(foreign));
      assertThat(refused.path("code").asText()).isEqualTo("SPACE_NOT_FOUND");
      assertThat(refused.toString()).doesNotContain("treasure");
    }

    assertThat(team.refusal(noor, "send_message", "{'text':'hi'}"))
        .as("noor is in no space")
        .isEqualTo("NO_ACTIVE_SPACE");
    assertThat(team.spaces.members(new Principal.OperatorPrincipal(), "cabin"))
        .extracting(Membership::handle)
        .doesNotContain("noor");
    assertThat(team.said("cabin")).containsExactly("operator: the treasure");
  }

  @Test
  @Requirement("S3-23")
  void a_member_enters_a_private_space_and_gets_its_history() {
    team.room("cabin", WakePolicy.ALL, ada, ben);
    team.say("cabin", "one");
    team.say("cabin", "two");

    JsonNode entered = team.call(ada, "enter_space", "{'spaceId':'cabin'}");

    assertThat(entered.at("/space/id").asText()).isEqualTo("cabin");
    assertThat(entered.path("messages").findValuesAsText("text")).containsExactly("one", "two");
    assertThat(team.call(ada, "send_message", "{'text':'three'}").path("spaceId").asText())
        .isEqualTo("cabin");
  }
}
