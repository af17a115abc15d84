package dev.substrat.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substrat.capability.McpServer;
import dev.substrat.fault.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A person approves a program while somebody tries in vain to start it.
@OnEveryDatabase
final class ApprovedMeanwhileTest {
  private final Outpost outpost;
  private final Records records;
  private final Agent ada;
  private final McpServer box;

  ApprovedMeanwhileTest(TestDatabase kind) {
    this.outpost = new Outpost(kind);
    this.records = new Records(outpost.database, outpost.events, outpost.clock);
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
    approve();

    records.refused(ada, box, refusal);

    assertThat(view().state()).isEqualTo("new");
    assertThat(records.claim(ada, box)).as("it is looked at again at once").isTrue();
  }

  @Test
  void until_then_it_waits_for_a_person() {
    records.refused(ada, box, refusal());

    assertThat(view().state()).isEqualTo("unapproved");
    assertThat(view().problem()).contains("nobody has allowed");
  }

  private Fault refusal() {
    return catchThrowableOfType(Fault.class, () -> records.requireApproved(ada, box));
  }

  private void approve() {
    String hash = Objects.requireNonNull(view().commandHash());
    outpost.remote.approvals().approveCommand(ada, "box", hash, "operator");
  }

  private Approvals.ServerView view() {
    return outpost.remote.approvals().servers(ada).getFirst();
  }
}
