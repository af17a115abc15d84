package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.platform.identity.Principal;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.replay.ProviderOverride;
import dev.substrat.turn.run.Run;
import dev.substrat.turn.scheduling.Leases;
import dev.substrat.turn.scheduling.Slots;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Random teams whose agents ask each other, also in cycles, on one slot: every run becomes idle,
/// and every question gets an answer or a notice.
@OnEveryDatabase
final class RandomTeamsTest {
  private static final int SEEDS = Boolean.getBoolean("substrat.full") ? 200 : 4;
  private static final List<String> NAMES = List.of("ada", "ben", "noor", "lars", "ines");

  /// Answers that were written in a turn about something else.
  private static final String ANSWERED_ELSEWHERE =
      """
      select count(*) as n from message reply join run on run.id = reply.run_id
      where reply.kind = 'reply' and reply.broadcast_id is null
        and coalesce(run.subject, '') <> reply.in_reply_to
      """;

  /// Messages of a turn about a question to its asker before the answer.
  private static final String NOT_THE_FIRST_WORDS =
      """
      select count(*) as n from run join message question on question.id = run.subject
      join message reply on reply.in_reply_to = question.id and reply.kind = 'reply'
      join message earlier on earlier.run_id = run.id and earlier.id < reply.id
        and earlier.sender = question.recipient and earlier.recipient = question.sender
      where earlier.in_reply_to is null
      """;

  private final TestDatabase place;

  RandomTeamsTest(TestDatabase place) {
    this.place = place;
  }

  @Test
  @Requirement({"N2", "S0-8", "S1-8", "C20", "A4"})
  void every_question_gets_an_answer_or_a_notice() throws IOException {
    for (int seed = 1; seed <= SEEDS; seed++) {
      try (var team = new TestTeam(place.dialect(), 1)) {
        var questions = play(team, new Random(seed));

        comeToRest(team, seed);

        for (Message question : questions) {
          assertThat(team.status(question))
              .as("seed %d, question to %s", seed, question.recipient())
              .isIn(
                  Message.MessageStatus.REPLIED,
                  Message.MessageStatus.EXPIRED,
                  Message.MessageStatus.DEAD);
        }
        assertThat(count(team, "select count(*) as n from pending_reply"))
            .as("seed %d", seed)
            .isZero();
        assertThat(count(team, "select count(*) as n from inbox_event where held = 0"))
            .as("seed %d", seed)
            .isZero();
        assertThat(count(team, "select count(*) as n from run where status = 'running'")).isZero();
        assertThat(count(team, ANSWERED_ELSEWHERE)).as("seed %d", seed).isZero();
        assertThat(count(team, NOT_THE_FIRST_WORDS)).as("seed %d", seed).isZero();
      }
    }
  }

  @Test
  @Requirement("N10")
  void every_turn_replays_like_its_record() throws IOException {
    for (int seed = 1; seed <= SEEDS; seed++) {
      try (var team = new TestTeam(place.dialect(), 1);
          var replays = team.engine.replays(new Slots(Slots.SlotCaps.of(1)))) {
        play(team, new Random(seed));
        comeToRest(team, seed);

        List<Run> runs = team.runs.newest(null, 1_000);

        assertThat(runs).as("seed %d", seed).isNotEmpty();
        for (Run run : runs) {
          assertThat(
                  replays.replay(
                      new Principal.OperatorPrincipal(),
                      run.id(),
                      new ProviderOverride(null, null)))
              .as("seed %d, %s", seed, run)
              .matches(report -> report.equal() && report.complete());
        }
      }
    }
  }

  private static List<Message> play(TestTeam team, Random random) {
    team.agent(
        "{name: mira, provider: {name: scripted, playbook: [" + rule(random, "message") + "]}}");
    for (String name : NAMES) {
      team.agent(
          "{name: %s, parent: mira, provider: {name: scripted, playbook: [%s, %s]}}"
              .formatted(name, rule(random, "message"), rule(random, "reply")));
    }
    var questions = new ArrayList<Message>();
    for (int i = 0; i < 4; i++) {
      questions.add(team.ask(NAMES.get(random.nextInt(NAMES.size())), "question " + i));
    }
    return questions;
  }

  /// Reaction of an agent to a message: final text, question, message, failure, or nothing.
  private static String rule(Random random, String kind) {
    String other = NAMES.get(random.nextInt(NAMES.size()));
    String act =
        switch (random.nextInt(10)) {
          case 0, 1 -> "{say: 'because of {{event.from}}'}";
          case 2, 3, 4 ->
              "{call: send_message, with: {recipient: %s, text: 'and you?'}}".formatted(other);
          case 5 ->
              "{call: send_message, with: {recipient: %s, text: so, sync: false}}".formatted(other);
          case 6, 7, 8 -> answer(random);
          default -> "{fail: tired}";
        };
    return "{when: {kind: %s}, do: [%s]}".formatted(kind, act);
  }

  /// Two messages to the sender: the first is the answer, with any value of `sync`.
  private static String answer(Random random) {
    String sync = List.of("", ", sync: true", ", sync: false").get(random.nextInt(3));
    String named = random.nextBoolean() ? ", in_reply_to: '{{event.message_id}}'" : "";
    return "{call: send_message, with: {recipient: '{{event.from}}', text: 'first'%s%s}}, "
            .formatted(sync, named)
        + "{call: send_message, with: {recipient: '{{event.from}}', text: 'second', sync: false}}";
  }

  private static void comeToRest(TestTeam team, int seed) {
    for (int round = 0; round < 200; round++) {
      team.await(() -> isQuiet(team));
      if (count(team, "select count(*) as n from pending_reply") == 0
          && count(team, "select count(*) as n from inbox_event where held = 0") == 0) {
        return;
      }
      team.clock.pass(Duration.ofMinutes(31));
      team.messages.expire();
    }
    throw new AssertionError("seed " + seed + " never comes to rest");
  }

  private static boolean isQuiet(TestTeam team) {
    Instant now = team.clock.instant();
    var leases = new Leases("observer", TestTeam.LEASE, team.database.dialect());
    return team.database.read(tx ->
        leases.ready(tx, now).isEmpty()
            && tx.number("select count(*) as n from agent where lease_owner is not null") == 0);
  }

  private static long count(TestTeam team, String query) {
    return team.database.read(tx -> tx.number(query));
  }
}
