package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.space.SpaceHistory.HistoryRange;
import dev.substrat.space.SpaceMessages.PostRequest;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.Event;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages in spaces: numbers, threads, reactions, pages.
@OnEveryDatabase
final class SpaceMessagesTest {
  private final SpaceTeam team;
  private final SpaceMessages messages;
  private final Agent ada;
  private final Agent ben;

  SpaceMessagesTest(TestDatabase kind) {
    this.team = new SpaceTeam(kind.dialect());
    this.messages = team.spaces.messages();
    this.ada = team.external("ada");
    this.ben = team.external("ben");
    team.openSpace("general", ada, ben);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S4-4", "S4-5"})
  void a_message_is_stored_with_its_author_and_an_event_of_its_space() {
    team.openSpace("other", ada);
    String id =
        team.call(ada, "send_message", "{'channelId':'general','text':'ship ahoy'}")
            .path("messageId")
            .asText();
    SpaceMessage said = messages.require(new Principal.OperatorPrincipal(), new MessageId(id));

    assertThat(said.author()).isEqualTo(SpaceMember.of(ada));
    assertThat(said.space()).isEqualTo("general");
    assertThat(said.seq()).isEqualTo(1);
    assertThat(team.told("message_created"))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.path("message_id").asText()).isEqualTo(id);
          assertThat(event.path("author").asText()).isEqualTo("ada");
          assertThat(event.path("text").asText()).isEqualTo("ship ahoy");
        });
    team.await(
        () -> team.events.after(0, new Event.EventFilter(null, "general", null), 100).size() == 2);
    assertThat(team.events.after(0, new Event.EventFilter(null, "other", null), 100))
        .extracting(Event::kind)
        .containsExactly("space_created");
  }

  @Test
  @Requirement("N1")
  void concurrent_posts_leave_no_gaps_in_the_numbers() throws InterruptedException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Principal author :
          List.of(new Principal.OperatorPrincipal(), Principal.parse("person/ana"))) {
        for (int i = 0; i < 25; i++) {
          String text = author.key() + " " + i;
          threads.execute(() -> messages.post(author, new PostRequest("general", text), text));
        }
      }
    }

    var all =
        team.spaces
            .history()
            .read(new Principal.OperatorPrincipal(), "general", new HistoryRange(200, null, null));
    assertThat(all.messages())
        .extracting(SpaceMessage::seq)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
    assertThat(all.messages()).extracting(SpaceMessage::text).doesNotHaveDuplicates();
  }

  @Test
  @Requirement({"A12", "C4"})
  void a_repeated_call_posts_once_and_returns_the_same_result() {
    String hi = "{'channelId':'general','text':'hi'}";
    var first = team.call(ada, "send_message", hi, "key");

    assertThat(team.call(ada, "send_message", hi, "key")).isEqualTo(first);

    assertThat(team.said("general")).containsExactly("ada: hi");
    assertThat(
            team.call(ada, "send_message", "{'channelId':'general','text':'else'}", "key")
                .path("code")
                .asText())
        .isEqualTo("CONFLICT");
  }

  @Test
  @Requirement("A12")
  void the_same_key_for_another_space_or_thread_is_refused() {
    team.openSpace("other", ada);
    SpaceMessage root = team.say("general", "who is there?");
    PostRequest first = new PostRequest("general", "me", root.id());
    SpaceMessage said = messages.post(new Principal.AgentPrincipal(ada.id()), first, "key");

    assertThat(messages.post(new Principal.AgentPrincipal(ada.id()), first, "key").id())
        .isEqualTo(said.id());
    for (PostRequest another :
        List.of(
            new PostRequest("other", "me"),
            new PostRequest("general", "me"),
            new PostRequest("nowhere", "me"))) {
      refused(
          ErrorCode.CONFLICT,
          () -> messages.post(new Principal.AgentPrincipal(ada.id()), another, "key"));
    }
  }

  @Test
  @Requirement("A12")
  void a_repeated_key_returns_the_same_message_by_either_dm_name_and_in_a_left_space() {
    team.room("cabin", WakePolicy.ALL, ada, ben);
    SpaceMessage dm =
        messages.post(
            new Principal.AgentPrincipal(ada.id()), new PostRequest("dm-ben-ada", "hi"), "dm");
    SpaceMessage said =
        messages.post(
            new Principal.AgentPrincipal(ada.id()), new PostRequest("cabin", "bye"), "bye");
    team.spaces.remove(new Principal.OperatorPrincipal(), "cabin", "ada");

    assertThat(
            messages
                .post(
                    new Principal.AgentPrincipal(ada.id()),
                    new PostRequest("dm-ada-ben", "hi"),
                    "dm")
                .id())
        .isEqualTo(dm.id());
    assertThat(
            messages
                .post(
                    new Principal.AgentPrincipal(ada.id()), new PostRequest("cabin", "bye"), "bye")
                .id())
        .isEqualTo(said.id());
  }

  @Test
  @Requirement("S3-46")
  void a_thread_belongs_to_a_message_and_never_to_a_tool_call() {
    SpaceMessage root = team.say("general", "who is there?");
    var reply = new PostRequest("general", "me", root.id());
    SpaceMessage answer = messages.post(new Principal.AgentPrincipal(ada.id()), reply, null);

    assertThat(
            team.spaces
                .history()
                .replies(new Principal.OperatorPrincipal(), root.id(), 0, 10)
                .messages())
        .containsExactly(answer);
    refused(
        ErrorCode.CONFLICT,
        () ->
            messages.post(
                new Principal.AgentPrincipal(ada.id()),
                new PostRequest("general", "thanks", toolCall(root)),
                null));
    team.openSpace("other", ada);
    refused(
        ErrorCode.MESSAGE_NOT_FOUND,
        () ->
            messages.post(
                new Principal.AgentPrincipal(ada.id()),
                new PostRequest("other", "x", root.id()),
                null));
  }

  /// A tool's call as a space shows it.
  private MessageId toolCall(SpaceMessage like) {
    var id = MessageId.random();
    team.database.transact(tx ->
        tx.update(
            """
            insert into space_message
              (id, space_id, seq, author, text, kind, status, depth, created_at)
            values (?, ?, ?, ?, '', 'tool', 'complete', 0, 0)
            """,
            id.value(),
            like.space(),
            SpaceTable.nextSeq(tx, like.space()),
            ada.id().value()));
    return id;
  }

  @ParameterizedTest
  @Requirement("S4-7")
  @CsvSource({
    "👍, 👍",
    ":thumbsup:, 👍",
    ":+1:, 👍",
    "❤️, ❤️",
    "❤, ❤",
    "👋🏽, 👋🏽",
    "👩🏽‍⚕️, 👩🏽‍⚕️",
    "👨‍👩‍👧‍👦, 👨‍👩‍👧‍👦",
    "🏳️‍🌈, 🏳️‍🌈",
    "🇳🇴, 🇳🇴",
    "🏴󠁧󠁢󠁳󠁣󠁴󠁿, 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "1️⃣, 1️⃣"
  })
  void a_reaction_is_one_emoji_or_a_shortcode(String typed, String emoji) {
    SpaceMessage said = team.say("general", "done");
    String react = "{'messageId':'%s','emoji':'%s'}".formatted(said.id(), typed);
    assertThat(team.call(ada, "react_to_message", react)).hasToString("{\"success\":true}");
    assertThat(messages.require(new Principal.OperatorPrincipal(), said.id()).reactions())
        .extracting(SpaceMessage.Reaction::emoji)
        .containsExactly(emoji);
  }

  @ParameterizedTest
  @Requirement("S4-7")
  @ValueSource(strings = {"ok", "1", "#", "👍👍", "👍 ", "🇳", ":nonsense:", "::", "👍x", "\u200d"})
  void an_invalid_reaction_is_rejected(String typed) {
    SpaceMessage said = team.say("general", "done");
    String react = "{'messageId':'%s','emoji':'%s'}".formatted(said.id(), typed);
    assertThat(team.refusal(ada, "react_to_message", react)).isEqualTo("INVALID_ARGUMENTS");
  }

  @Test
  @Requirement({"S4-7", "S4-8"})
  void a_reaction_is_stored_with_one_event() {
    SpaceMessage said = team.say("general", "done");
    String react = "{'messageId':'%s','emoji':'👍'}".formatted(said.id());

    assertThat(team.call(ada, "react_to_message", react)).hasToString("{\"success\":true}");
    assertThat(team.call(ada, "react_to_message", react)).hasToString("{\"success\":true}");
    messages.react(new Principal.OperatorPrincipal(), said.id(), "👍");

    assertThat(messages.require(new Principal.OperatorPrincipal(), said.id()).reactions())
        .extracting(SpaceMessage.Reaction::authorHandle)
        .containsExactlyInAnyOrder("ada", "operator");
    assertThat(team.told("reaction_added")).hasSize(2);
    messages.unreact(new Principal.OperatorPrincipal(), said.id(), "👍");
    messages.unreact(new Principal.OperatorPrincipal(), said.id(), "👍");
    assertThat(team.told("reaction_removed")).hasSize(1);
    assertThat(messages.require(new Principal.OperatorPrincipal(), said.id()).reactions())
        .hasSize(1);
    assertThat(
            team.refusal(
                ada, "react_to_message", "{'messageId':'%s','emoji':''}".formatted(said.id())))
        .isEqualTo("INVALID_ARGUMENTS");
  }

  @Test
  @Requirement("A12")
  void a_removed_reaction_is_not_added_again_by_a_repeated_call() {
    SpaceMessage said = team.say("general", "done");
    String react = "{'messageId':'%s','emoji':'👍'}".formatted(said.id());
    team.call(ada, "react_to_message", react, "key");
    messages.unreact(new Principal.AgentPrincipal(ada.id()), said.id(), "👍");

    assertThat(team.call(ada, "react_to_message", react, "key")).hasToString("{\"success\":true}");

    assertThat(messages.require(new Principal.OperatorPrincipal(), said.id()).reactions())
        .isEmpty();
  }

  @Test
  void history_is_read_from_either_end_oldest_first() {
    IntStream.rangeClosed(1, 7).forEach(i -> team.say("general", "m" + i));

    assertThat(page(new HistoryRange(3, null, null))).containsExactly("m5", "m6", "m7", "more");
    assertThat(page(new HistoryRange(3, 5L, null))).containsExactly("m2", "m3", "m4", "more");
    assertThat(page(new HistoryRange(3, 4L, null))).containsExactly("m1", "m2", "m3");
    assertThat(page(new HistoryRange(3, null, 3L))).containsExactly("m4", "m5", "m6", "more");
    assertThat(page(new HistoryRange(3, null, 5L))).containsExactly("m6", "m7");
    refused(ErrorCode.INVALID_ARGUMENTS, () -> new HistoryRange(201, null, null));
  }

  @Test
  void a_blank_message_is_rejected() {
    refused(ErrorCode.INVALID_ARGUMENTS, () -> team.say("general", " \n"));

    assertThat(team.said("general")).isEmpty();
  }

  private List<String> page(HistoryRange range) {
    var page = team.spaces.history().read(new Principal.OperatorPrincipal(), "general", range);
    var texts = new ArrayList<>(page.messages().stream().map(SpaceMessage::text).toList());
    if (page.hasMore()) {
      texts.add("more");
    }
    return texts;
  }

  private static void refused(ErrorCode code, ThrowingCallable attempt) {
    assertThatThrownBy(attempt)
        .isInstanceOfSatisfying(Fault.class, fault -> assertThat(fault.code()).isEqualTo(code));
  }
}
