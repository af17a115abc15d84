package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Pages of spaces: visibility, messages, actions.
@OnEveryDatabase
final class SpacePagesTest {
  private static final Pattern MESSAGE = Pattern.compile("id=\"m-([^\"]+)\" data-seq=\"(\\d+)\"");

  private final TestDatabase place;
  private final TestDaemon daemon;
  private final ConsoleClient operator;
  private final ConsoleClient ana;

  SpacePagesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    this.operator = new ConsoleClient(daemon);
    this.ana =
        new ConsoleClient(daemon, daemon.post("/api/tokens", "{\"person\":\"ana\"}").text("token"));
    daemon.post("/api/agents", "{\"name\":\"ada\",\"provider\":{\"name\":\"external\"}}");
    daemon.post("/api/spaces", "{\"name\":\"General\",\"members\":[\"ada\",\"ana\"]}");
    daemon.post("/api/spaces", "{\"name\":\"Bridge\",\"kind\":\"private\",\"members\":[\"ada\"]}");
  }

  @AfterEach
  void close() throws IOException {
    ana.close();
    operator.close();
    daemon.close();
    place.close();
  }

  private String say(String text) {
    String body = Json.text(Json.object().put("text", text));
    return daemon.post("/api/spaces/general/messages", body).text("id");
  }

  @Test
  @Requirement("S1-21")
  void people_see_their_spaces_and_no_others() {
    assertThat(operator.page("/spaces")).contains("General", "Bridge", "New space");
    assertThat(ana.page("/spaces")).contains("General").doesNotContain("Bridge", "New space");
    assertThat(ana.look("/spaces/bridge").status()).isEqualTo(404);
    assertThat(ana.submit("/spaces/bridge/messages", "text", "hi").status()).isEqualTo(404);
    assertThat(ana.page("/spaces/general"))
        .as("agents are no pages of hers")
        .doesNotContain("/agents/");
    assertThat(ana.look("/").header("Location")).isEqualTo("/spaces");
  }

  @Test
  void the_list_shows_latest_messages_and_unread_counts() {
    assertThat(ana.page("/spaces")).contains("No messages yet.");
    say("An earlier word.");
    say("The **newest** word.");

    assertThat(ana.page("/spaces"))
        .contains("The newest word.", "<span class=\"faint\">operator:</span>", ">2<span")
        .doesNotContain("An earlier word.", "No messages yet");
  }

  @Test
  @Requirement("C19")
  void a_turn_that_finished_without_posting_is_a_line_after_its_trigger() {
    daemon.createAgent("eve", "[{\"do\":[{\"say\":\"I would **wait** <b>\"}]}]");
    daemon.post("/api/spaces/general/members", "{\"member\":\"eve\"}");
    say("Shall we sail?");
    Await.until(() -> operator.page("/spaces/general").contains("finished without posting"));
    say("Well?");

    String page = operator.page("/spaces/general");
    String first =
        daemon
            .get("/api/runs?agent=eve")
            .body()
            .path("runs")
            .valueStream()
            .map(run -> run.path("id").asText())
            .min(Comparator.naturalOrder())
            .orElseThrow();
    assertThat(page)
        .containsSubsequence(
            "Shall we sail?",
            "id=\"u-" + first + "\"",
            "<strong>eve</strong> finished without posting",
            "I would <strong>wait</strong> &lt;b&gt;",
            "href=\"/runs/" + first + "\"",
            "Well?")
        .contains("wake_held pending_call finished_without_posting");
    assertThat(MESSAGE.matcher(page).results()).as("it is no message").hasSize(2);
    assertThat(ana.page("/spaces/general"))
        .contains("finished without posting", "I would <strong>wait</strong>")
        .doesNotContain("/runs/");
    assertThat(operator.page("/runs/" + first))
        .contains("Finished without posting", "<a href=\"/spaces/general\">general</a>");
    assertThat(operator.page("/agents/eve"))
        .contains("finished without posting", "I would **wait** &lt;b&gt;");
  }

  @Test
  void a_posted_message_is_shown_once() {
    Answer said =
        ana.submit("/spaces/general/messages", "text", "Hello @ada, **look**", "key", "k1");
    ana.submit("/spaces/general/messages", "text", "Hello @ada, **look**", "key", "k1");

    assertThat(said.status()).isEqualTo(303);
    assertThat(said.header("Location")).isEqualTo("/spaces/general");
    String page = operator.page("/spaces/general");
    assertThat(page).contains("<span class=\"mention\">@ada</span>", "<strong>look</strong>");
    assertThat(MESSAGE.matcher(page).results()).hasSize(1);
    assertThat(ana.submit("/spaces/general/messages", "text", " ").status()).isEqualTo(400);
  }

  @Test
  void a_space_shows_the_newest_messages_and_links_to_earlier_ones() {
    for (int i = 1; i <= 120; i++) {
      say("message number " + i + ".");
    }
    String newest = operator.page("/spaces/general");
    assertThat(seqs(newest)).startsWith(71L).endsWith(120L).hasSize(50);
    assertThat(newest).contains("id=\"earlier\" href=\"/spaces/general?before=71\"");
    String before = operator.page("/spaces/general?before=71");
    assertThat(seqs(before)).startsWith(21L).endsWith(70L);
    String first = operator.page("/spaces/general?before=21");
    assertThat(seqs(first)).startsWith(1L).endsWith(20L);
    assertThat(first).contains("Beginning of General").doesNotContain("id=\"earlier\"");
  }

  private static List<Long> seqs(String page) {
    return MESSAGE.matcher(page).results().map(match -> Long.valueOf(match.group(2))).toList();
  }

  @Test
  void a_reply_is_in_its_thread_and_quotes_its_parent() {
    String id = say("Who is on watch?");
    Answer replied = ana.submit("/spaces/general/messages", "text", "I am.", "parent", id);

    assertThat(replied.header("Location")).isEqualTo("/spaces/general?thread=" + id);
    assertThat(operator.page("/spaces/general")).contains("1 reply", "In reply to ");
    assertThat(operator.page("/spaces/general?thread=" + id))
        .contains("aria-label=\"Thread\"", "id=\"t-" + id + "\"", "name=\"parent\" value=\"" + id);
    assertThat(operator.look("/spaces/bridge?thread=" + id).status()).isEqualTo(404);
  }

  @Test
  void a_long_thread_shows_the_newest_replies_and_links_to_earlier_ones() {
    String id = say("Roll call!");
    for (int i = 1; i <= 70; i++) {
      ana.submit("/spaces/general/messages", "text", "Here, " + i + ".", "parent", id);
    }
    String thread = ana.page("/spaces/general?thread=" + id).split("aria-label=\"Thread\"", 2)[1];
    assertThat(thread).contains("70 replies", "Here, 70.", "Earlier replies", "name=\"parent\"");
    assertThat(thread).doesNotContain("Here, 20.");
    var earlier = Pattern.compile("href=\"([^\"]+until=\\d+)\"").matcher(thread);
    assertThat(earlier.find()).isTrue();

    String before =
        ana.page(earlier.group(1).replace("&amp;", "&")).split("aria-label=\"Thread\"", 2)[1];

    assertThat(before).contains("70 replies", "Here, 20.", "Here, 1.", "Newest messages");
    assertThat(before).doesNotContain("Here, 21.", "Earlier replies", "name=\"parent\"");
  }

  @Test
  void a_reaction_is_added_and_removed() {
    String id = say("Done.");
    ana.submit("/spaces/general/reactions", "sign", id + " 👍");
    assertThat(operator.page("/spaces/general"))
        .contains("aria-pressed=\"false\" title=\"ana\"", "reacted with 👍: ana");
    assertThat(ana.page("/spaces/general")).contains("aria-pressed=\"true\"");

    ana.submit("/spaces/general/reactions", "sign", id + " 👍");
    assertThat(operator.page("/spaces/general")).doesNotContain("reacted with");
  }

  @Test
  void unread_messages_are_marked() {
    String id = say("News.");
    assertThat(ana.page("/spaces")).contains("1<span class=\"unseen\"> unread</span>");
    assertThat(ana.page("/spaces/general"))
        .contains("id=\"new-mark\" data-before=\"m-" + id + "\"");
    assertThat(operator.page("/spaces/general"))
        .as("it is the operator's")
        .doesNotContain("new-mark\"");
  }

  @Test
  void the_operator_creates_spaces_and_people_join_and_leave() {
    Answer made =
        operator.submit(
            "/spaces",
            "name",
            "Night watch",
            "topic",
            "Who is awake",
            "members",
            "ada, ana",
            "kind",
            "private",
            "wake",
            "mention");
    assertThat(made.header("Location")).isEqualTo("/spaces/night-watch?said=created");
    assertThat(ana.page("/spaces/night-watch")).contains("Who is awake", "data-handle=\"ada\"");
    assertThat(ana.submit("/spaces/night-watch/leave", "member", "ada").status()).isEqualTo(403);
    assertThat(ana.submit("/spaces/night-watch/leave", "member", "ana").header("Location"))
        .isEqualTo("/spaces");
    assertThat(ana.look("/spaces/night-watch").status()).isEqualTo(404);
    operator.submit("/spaces/night-watch/members", "member", "ana");
    ana.submit("/spaces/night-watch/settings", "name", "Watch", "topic", "");
    operator.submit(
        "/spaces/night-watch/settings", "name", "Watch", "topic", "", "wake", "all", "depth", "2");
    assertThat(operator.page("/spaces/night-watch")).contains("Watch", "value=\"2\"");
    ana.submit("/spaces/night-watch/settings", "name", "Watch", "topic", "quiet");
    assertThat(daemon.get("/api/spaces/night-watch").body().path("maxChainDepth").asInt())
        .as("a caller without this field leaves it unchanged")
        .isEqualTo(2);
    assertThat(ana.page("/spaces/night-watch"))
        .contains("id=\"set-name\"")
        .doesNotContain("set-wake", "set-depth");
    assertThat(
            ana.submit(
                    "/spaces/night-watch/settings",
                    "name",
                    "W",
                    "topic",
                    "",
                    "wake",
                    "all",
                    "depth",
                    "500")
                .status())
        .isEqualTo(403);
    assertThat(ana.submit("/spaces", "name", "Mine", "kind", "public").status()).isEqualTo(403);
  }

  @Test
  void a_space_without_agents_asks_to_add_some() {
    daemon.post("/api/spaces", "{\"name\":\"Attic\"}");

    assertThat(operator.page("/spaces/attic")).contains("This space has no agents yet.");
  }

  @Test
  void an_empty_chain_depth_means_the_daemon_default() {
    operator.submit("/spaces/general/settings", "name", "General", "topic", "", "depth", "2");
    assertThat(ana.submit("/spaces/general/settings", "name", "G", "depth", "").status())
        .isEqualTo(403);
    operator.submit("/spaces/general/settings", "name", "General", "topic", "", "depth", "");

    assertThat(daemon.get("/api/spaces/general").body().path("maxChainDepth").isNumber()).isFalse();
    assertThat(operator.submit("/spaces/general/settings", "name", "G", "depth", "x").status())
        .isEqualTo(400);
  }

  @Test
  @Requirement("N2")
  void held_wake_ups_are_linked_from_other_pages_and_explained_once() {
    for (String name : List.of("cat", "dog")) {
      daemon.post(
          "/api/agents",
          """
          {"name":"%s","toolsets":["channels"],"provider":{"name":"scripted","playbook":[
            {"when":{"kind":"space_message"},
             "do":[{"call":"send_message","with":{"channelId":"pets","text":"me too"}}]}]}}
          """
              .formatted(name));
    }
    daemon.post(
        "/api/spaces", "{\"name\":\"Pets\",\"maxChainDepth\":1,\"members\":[\"cat\",\"dog\"]}");
    // A paused agent does not process held messages.
    operator.submit("/team/dog/gate");
    assertThat(operator.page("/spaces/pets"))
        .contains("No messages yet", "Write the first message. A message wakes ")
        .doesNotContain("Beginning of Pets");
    assertThat(operator.page("/mail?folder=held")).contains("No held messages");

    daemon.post("/api/spaces/pets/messages", "{\"text\":\"Hungry?\"}");

    Await.until(() -> operator.page("/mail?folder=held").contains("id=\"stopped-pets\""));
    assertThat(operator.page("/mail?folder=held"))
        .contains(
            "href=\"/spaces/pets\"",
            "the last message of a person is 1 message ago",
            "No other held messages")
        .doesNotContain("No held messages");
    assertThat(operator.page("/health"))
        .contains("href=\"/mail?folder=held\"", "1 problem needs attention");
    assertThat(operator.page("/spaces/pets"))
        .contains(
            "1 wake-up held.</strong> Chain depth: the last message of a person is 1 message ago")
        .contains("No agent was woken<span class=\"unseen\">")
        .doesNotContain("No agent was woken: ");

    operator.submit("/spaces/pets/settings", "name", "Pets", "topic", "", "wake", "none");
    operator.submit("/spaces/pets/release");
    Await.until(() -> operator.page("/health").contains("No problems."));
  }

  @Test
  @Requirement("S3-45")
  void messages_of_agents_and_people_are_escaped() {
    for (String hostile : HostileTexts.TEXTS) {
      say(hostile);
    }
    String topic = HostileTexts.TEXTS.getFirst();
    operator.submit(
        "/spaces/general/settings", "name", topic, "topic", topic, "wake", "none", "depth", "");
    HostileTexts.assertHarmless(operator.page("/spaces/general"));
    HostileTexts.assertHarmless(operator.page("/spaces"));
    HostileTexts.assertHarmless(operator.page("/palette"));
  }

  @Test
  void unread_spaces_are_counted_for_members() {
    say("Land!");
    say("Look!");
    assertThat(ana.page("/approvals"))
        .contains("1<span class=\"unseen\"> with unread messages</span>");
    assertThat(operator.page("/spaces")).doesNotContain(" with unread messages</span>");
  }

  @Test
  void an_unknown_member_is_reported_with_suggestions() {
    String[] request = {"name", "Crew", "members", "adda", "kind", "public", "wake", "all"};
    Answer refused = operator.submit("/spaces", request);
    assertThat(refused.body().asText())
        .contains("No agent or person is named adda", "Did you mean ada or ana?")
        .doesNotContain("/api/", "./substrat");
  }
}
