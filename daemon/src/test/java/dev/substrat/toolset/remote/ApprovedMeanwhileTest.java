package dev.substrat.toolset.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substrat.protocol.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.McpServerConfig;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A person approves a program while somebody tries in vain to start it.
@OnEveryDatabase
final class ApprovedMeanwhileTest {
  private static final int ROUNDS = 100;

  private final Outpost outpost;
  private final ServerRecords records;
  private final Agent ada;
  private final McpServerConfig box;

  ApprovedMeanwhileTest(TestDatabase kind) {
    this.outpost = new Outpost(kind);
    this.records =
        new ServerRecords(outpost.database, outpost.events, outpost.clock, NewServerPolicy.DEFAULT);
    this.ada = outpost.agent("ada", "{name: box, command: /bin/sh}");
    this.box = ada.config().serversOrNone().getFirst();
    assertThat(records.claim(ada, box)).isTrue();
  }

  @AfterEach
  void close() throws IOException {
    outpost.close();
  }

  @Test
  void whoever_was_refused_before_does_not_call_it_down_afterwards() {
    Fault refusal = refusal();
    approve(ada);

    records.refused(ada, box, refusal);

    assertThat(view(ada).state()).isEqualTo("new");
    assertThat(records.claim(ada, box)).as("it is looked at again at once").isTrue();
  }

  @Test
  void until_then_it_waits_for_a_person() {
    records.refused(ada, box, refusal());

    assertThat(view(ada).state()).isEqualTo("unapproved");
    assertThat(view(ada).problem()).contains("is not approved");
  }

  @Test
  void from_then_on_nobody_says_that_it_waits() {
    records.refused(ada, box, refusal());
    approve(ada);

    assertThat(view(ada).state()).isEqualTo("new");
    assertThat(view(ada).problem()).isNull();
    assertThat(outpost.remote.unavailableServers(ada)).contains("not known yet");
  }

  @Test
  void what_is_another_program_than_the_approved_one_says_so() {
    approve(ada);
    records.seen(ada, box, List.of());
    Agent changed = outpost.update(ada, "{name: box, command: /bin/sh, args: ['-x']}");

    assertThat(view(changed).state()).isEqualTo("unapproved");
    assertThat(view(changed).problem())
        .contains("is not approved", "it was approved when the command was [\"/bin/sh\"]");

    approve(changed);
    assertThat(view(changed).state()).as("the other one was up").isEqualTo("new");
  }

  @Test
  void other_paths_or_another_network_need_another_approval() {
    approve(ada);
    records.seen(ada, box, List.of());
    Agent wider =
        outpost.update(ada, "{name: box, command: /bin/sh, paths: [{path: /srv/notes, mode: rw}]}");
    assertThat(view(wider).state()).isEqualTo("unapproved");
    assertThat(view(wider).problem()).endsWith("it was approved when it had no paths");
    approve(wider);
    assertThat(view(wider).state()).isEqualTo("new");
    records.seen(wider, wider.config().serversOrNone().getFirst(), List.of());

    Agent same =
        outpost.update(ada, "{name: box, command: /bin/sh, paths: [{mode: rw, path: /srv/notes}]}");
    assertThat(view(same).state()).isEqualTo("up");
    for (String change :
        List.of(
            "paths: [{path: /srv/notes}]",
            "paths: [{path: /srv, mode: rw}]",
            "paths: [{path: /srv/notes, mode: rw}], network: true")) {
      Agent changed = outpost.update(ada, "{name: box, command: /bin/sh, %s}".formatted(change));
      assertThat(view(changed).state()).as(change).isEqualTo("unapproved");
      assertThat(view(changed).problem())
          .contains(
              change.contains("network")
                  ? "it had no network"
                  : "its paths were [{\"path\":\"/srv/notes\",\"mode\":\"rw\"}]");
    }
  }

  @Test
  void nobody_calls_it_down_who_says_so_in_the_same_moment() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Agent agent =
          outpost.agent("bo" + i, "{name: box, command: /bin/sh, args: ['%d']}".formatted(i));
      McpServerConfig server = agent.config().serversOrNone().getFirst();
      assertThat(records.claim(agent, server)).isTrue();
      Fault refusal =
          catchThrowableOfType(Fault.class, () -> records.requireApproved(agent, server));
      var approving = Thread.ofVirtual().start(() -> approve(agent));

      records.refused(agent, server, refusal);
      approving.join();

      assertThat(view(agent).state()).isNotEqualTo("down");
    }
  }

  private Fault refusal() {
    return catchThrowableOfType(Fault.class, () -> records.requireApproved(ada, box));
  }

  private void approve(Agent agent) {
    String hash = Objects.requireNonNull(view(agent).commandHash());
    outpost.remote.approvals().approveCommand(agent, "box", hash, "operator");
  }

  private RemoteServerApprovals.ServerView view(Agent agent) {
    return outpost.remote.approvals().servers(agent).getFirst();
  }
}
