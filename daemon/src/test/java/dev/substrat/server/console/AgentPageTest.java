package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Page of an agent and its actions.
@OnEveryDatabase
final class AgentPageTest {
  private final TestDatabase place;
  private final TestDaemon daemon;
  private final ConsoleClient visitor;

  AgentPageTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    this.visitor = new ConsoleClient(daemon);
  }

  @AfterEach
  void close() throws IOException {
    visitor.close();
    daemon.close();
    place.close();
  }

  @Test
  void the_first_team_is_created_once() {
    Answer made = visitor.submit("/agents/first-team", "x", "y");
    assertThat(made.header("Location")).isEqualTo("/agents/mira?said=started");
    visitor.submit("/agents/first-team", "x", "y");

    assertThat(daemon.get("/api/agents").body().path("agents")).hasSize(4);
    assertThat(visitor.page("/agents/mira"))
        .contains("You lead the harbor team", "Delegating", "2 of 3 on", "/agents/noor");
    assertThat(visitor.page("/agents/ada")).contains("href=\"/agents/mira\"");
  }

  @Test
  void actions_on_the_agent_page_take_effect() {
    daemon.createAgent("ada", "[{\"do\":[{\"say\":\"aye\"}]}]");

    assertThat(visitor.submit("/agents/ada/gate", "x", "y").header("Location"))
        .isEqualTo("/agents/ada?said=gated");
    assertThat(visitor.page("/agents/ada?said=gated"))
        .contains("Paused. Messages are queued", "Resume</button>");
    assertThat(visitor.submit("/agents/ada/messages", "text", "is <b>she</b> there?").status())
        .isEqualTo(303);
    assertThat(visitor.submit("/agents/ada/poke", "x", "y").status()).isEqualTo(303);
    assertThat(visitor.page("/agents/ada"))
        .contains("is &lt;b&gt;she&lt;/b&gt; there?", "The operator wakes you");
    visitor.submit("/agents/ada/ungate", "x", "y");
    assertThat(visitor.page("/agents/ada")).contains(">Pause").doesNotContain("Resume</button>");
    assertThat(visitor.submit("/agents/ada/terminate", "x", "y").header("Location"))
        .isEqualTo("/agents?said=terminated");
    assertThat(visitor.page("/agents/ada")).contains("terminated").doesNotContain("Terminate ada?");
  }

  @Test
  void a_terminated_agent_offers_no_actions() {
    daemon.createAgent("ada", "[]");
    assertThat(visitor.page("/agents/ada"))
        .contains("Add one", "Send a message to start one", "MCP clients");
    visitor.submit("/agents/ada/terminate", "x", "y");

    assertThat(visitor.page("/agents/ada"))
        .contains("No turns.")
        .doesNotContain(
            "Add one", "Send a message to start one", "MCP clients", "/agents/ada/edit");
  }

  @Test
  void copied_connect_commands_name_this_data_directory() {
    daemon.createAgent("ada", "[]");

    assertThat(visitor.page("/agents/ada"))
        .contains("./substrat connect cursor --zoo --data " + daemon.data() + " --write")
        .contains("./substrat token create --zoo --data " + daemon.data() + "</code> instead of");
  }

  @Test
  void tools_are_listed_by_source_with_their_first_sentence() {
    daemon.post(
        "/api/agents",
        """
        {"name":"ada","tools":[{"name":"ask","executionType":"space",
          "description":"Asks a person, v2.1. It returns\\nat once; whoever asks goes on."}]}
        """);

    String tools = visitor.page("/agents/ada").split("id=\"tools-title\"", 2)[1];

    assertThat(tools.substring(tools.indexOf(">Custom tools<"), tools.indexOf(">Built-in tools<")))
        .contains("<code>ask</code> <span class=\"faint\">Asks a person, v2.1.</span>")
        .doesNotContain("check_inbox");
    assertThat(tools.substring(tools.indexOf(">Built-in tools<")))
        .contains("<code>check_inbox</code>");
    assertThat(tools.split("</details>", 2)[0])
        .doesNotContain("Remote tools")
        .doesNotContainPattern("class=\"faint\">[^<]*[a-z,;]</span>");
  }

  @Test
  void agents_with_the_same_name_are_shown_with_their_handles() {
    daemon.createAgent("mira", "[]");
    Answer second =
        visitor.submit("/agents/new", "name", "mira", "provider", "scripted", "role", "worker");

    assertThat(second.header("Location")).isEqualTo("/agents/mira-2?said=created_beside");
    assertThat(visitor.page("/agents/mira-2?said=created_beside"))
        .contains("The handle was taken", "Terminate mira (@mira-2)?");
    assertThat(visitor.page("/team")).contains(">mira<", ">mira (@mira-2)<");
  }

  @Test
  void a_handle_is_shown_only_for_an_ambiguous_name() {
    for (String name : new String[] {"Zoë", "mira (@zoe)", "noor (＠zoe)"}) {
      daemon.post("/api/agents", "{\"name\":\"" + name + "\"}");
    }
    assertThat(visitor.page("/team"))
        .contains(">Zoë<", ">mira (@zoe) (@mira-zoe)<", ">noor (＠zoe) (@noor-zoe)<")
        .doesNotContain("Zoë (@");
  }

  @Test
  void sending_a_message_returns_to_the_same_page() {
    for (String name : new String[] {"Editor", "Edit"}) {
      daemon.post("/api/agents", "{\"name\":\"" + name + "\"}");
      String path = "/agents/" + name.toLowerCase(Locale.ROOT);
      for (String place : new String[] {path, path + "/edit"}) {
        String form = visitor.page(place).split("action=\"" + path + "/messages\"", 2)[1];
        String back = BuilderForm.attribute(form.split("name=\"back\"", 2)[1], "value");

        assertThat(
                visitor.submit(path + "/messages", "text", "Ahoy", "back", back).header("Location"))
            .isEqualTo(place + "?said=sent");
      }
    }
  }

  @Test
  @Requirement("C25")
  void a_reply_to_a_person_appears_on_the_agent_page() {
    daemon.createAgent("greeter", "[{\"do\":[{\"say\":\"Hello!\"}]}]");
    daemon.post("/api/agents/greeter/messages", "{\"text\":\"good morning\"}");

    Await.until(() -> visitor.page("/agents/greeter").contains(">replied</a>"));
    assertThat(visitor.page("/agents/greeter")).contains("good morning", "Hello!");
  }

  @Test
  void an_undelivered_message_shows_its_reason() {
    daemon.createAgent("ada", "[]");
    visitor.submit("/agents/ada/gate", "x", "y");
    visitor.submit("/agents/ada/messages", "text", "Are you there?");
    visitor.submit("/agents/ada/terminate", "x", "y");

    assertThat(visitor.page("/agents/ada"))
        .contains("Not delivered: ")
        .as("it is updated when the message is released or retried")
        .containsPattern("id=\"talk\"[^>]*message_released message_retried");
  }

  @Test
  void forms_of_other_origins_are_rejected() {
    daemon.createAgent("ada", "[]");
    for (String action : new String[] {"gate", "poke", "terminate", "messages", "edit"}) {
      Answer foreign = visitor.send("/agents/ada/" + action, "https://evil.example", "text", "x");
      assertThat(foreign.status()).as(action).isEqualTo(403);
      assertThat(visitor.submitFromNowhere("/agents/ada/" + action, "text", "x").status())
          .as(action)
          .isEqualTo(403);
    }
    assertThat(daemon.get("/api/agents/ada/messages").body().path("messages")).isEmpty();
  }

  @Test
  void an_empty_message_is_rejected_with_an_error() {
    daemon.createAgent("ada", "[]");
    Answer refused = visitor.submit("/agents/ada/messages", "text", "  ");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body().asText()).contains("data-problem", "is empty");
  }

  @Test
  void versions_show_a_diff_and_can_be_restored() {
    daemon.post("/api/agents", "{\"name\":\"ada\",\"systemPrompt\":\"one\\ntwo\\nthree\"}");
    daemon
        .client()
        .send("PUT", "/api/agents/ada", "{\"name\":\"ada\",\"systemPrompt\":\"one\\n2\\nthree\"}");

    assertThat(visitor.page("/agents/ada/versions"))
        .contains(
            "class=\"gone\"", "  two<", "class=\"new\"", "  2<", "systemPrompt", "by operator")
        .contains(">removed: <", ">added: <");
    assertThat(visitor.submit("/agents/ada/versions", "version", "1").header("Location"))
        .isEqualTo("/agents/ada?said=restored");
    assertThat(daemon.get("/api/agents/ada").text("systemPrompt")).isEqualTo("one\ntwo\nthree");
    assertThat(daemon.get("/api/agents/ada/versions").body().path("versions")).hasSize(3);
    assertThat(visitor.submit("/agents/ada/versions", "version", "9").status()).isEqualTo(404);
    assertThat(visitor.submit("/agents/ada/versions", "version", "x").status()).isEqualTo(400);
  }

  @Test
  void a_version_lists_only_changed_keys_and_marks_a_restore() {
    daemon.createAgent("mira", "[]");
    daemon.post("/api/agents", "{\"name\":\"Nadia Nunez\",\"parent\":\"mira\"}");
    String[] form = BuilderForm.asShown(visitor.page("/agents/nadia-nunez/edit"));
    visitor.submit(
        "/agents/nadia-nunez/edit", BuilderForm.with(form, "description", "Pilots ships."));

    assertThat(visitor.page("/agents/nadia-nunez/versions"))
        .contains("<span class=\"grow small\">description", "added: </span><code>description:")
        .doesNotContain("added: </span><code>handle", "added: </span><code>parent", "restored");
    visitor.submit("/agents/nadia-nunez/versions", "version", "1");
    assertThat(visitor.page("/agents/nadia-nunez/versions"))
        .contains("restored version 1: description");
  }

  @Test
  void a_restored_handle_is_the_redirect_target() {
    daemon.post("/api/agents", "{\"name\":\"ada\",\"handle\":\"ada\"}");
    daemon.client().send("PUT", "/api/agents/ada", "{\"name\":\"ada\",\"handle\":\"ada2\"}");

    String back = visitor.submit("/agents/ada2/versions", "version", "1").header("Location");

    assertThat(back).isEqualTo("/agents/ada?said=restored");
    assertThat(visitor.page(back)).contains("Restored.");
  }

  @Test
  void a_form_sent_twice_creates_one_message() {
    daemon.post("/api/agents", "{\"name\":\"ada\",\"provider\":{\"name\":\"external\"}}");
    for (String path : new String[] {"/agents/ada/messages", "/team/ada/message"}) {
      visitor.submit(path, "text", "Ahoy, " + path, "key", "k-" + path.length());
      visitor.submit(path, "text", "Ahoy, " + path, "key", "k-" + path.length());
    }
    assertThat(daemon.get("/api/agents/ada/messages").body().path("messages")).hasSize(2);
    assertThat(visitor.page("/agents/ada")).contains("href=\"/mail/");
  }
}
