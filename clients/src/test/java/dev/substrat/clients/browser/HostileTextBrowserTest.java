package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Page;
import dev.substrat.clients.browser.Chromium.PageVariant;
import dev.substrat.platform.json.Yaml;
import dev.substrat.protocol.HiddenCharacters;
import dev.substrat.testkit.Await;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Text of agents and people is never executed or rendered as markup on a page.
@Timeout(300)
final class HostileTextBrowserTest {
  private static final List<String> CORPUS =
      List.of(
          "<script>window.hacked=1</script>",
          "\"><img src=x onerror=\"window.hacked=1\">",
          "' autofocus onfocus='window.hacked=1' x='",
          "<svg onload=window.hacked=1>",
          "</textarea><script>window.hacked=1</script>",
          "</title><script>window.hacked=1</script>",
          "javascript:window.hacked=1",
          "<iframe srcdoc=\"<script>parent.hacked=1</script>\"></iframe>",
          "{{7*7}}${7*7}<%= 7*7 %>",
          "</template><img src=x onerror=window.hacked=1>");

  /// One agent echoes hostile text in every possible place; the other fails with it.
  private static final String TALKERS =
      """
      - name: talker
        tools:
          - name: echo
            description: "<img src=x onerror=window.hacked=1>"
            inputSchema: { type: object, properties: { words: { type: string } } }
            executionType: gateway
            execution:
              includeContext: true
              agentConfig: { name: x, provider: { name: scripted, playbook: [ { do: [ { say: "{{event.context}}" } ] } ] } }
          - name: ask
            description: Asks.
            executionType: space
            display: { customUI: confirmAction }
        provider:
          name: scripted
          playbook:
            - when: { kind: space_message }
              do:
                - { call: enter_space, with: { spaceId: deck } }
                - { call: echo, with: { words: "{{event.text}}" } }
                - { call: ask, with: { question: "{{event.text}}", "<script>window.hacked=1</script>": "{{event.text}}" } }
                - { call: send_message, with: { text: "{{event.text}}" } }
                - { call: send_message, with: { recipient: operator, text: "{{event.text}}" } }
                - { say: "{{event.text}}" }
      - name: grump
        provider: { name: scripted, playbook: [ { do: [ { fail: "{{event.text}}" } ] } ] }
      """;

  @RegisterExtension private final BrowserTestFixture lookout = new BrowserTestFixture();
  private Chromium chromium;
  private RestartableDaemon pier;

  @BeforeEach
  void open() {
    chromium = lookout.chromium();
    pier = lookout.pier();
  }

  @Test
  void text_of_agents_and_people_is_never_executed() throws Exception {
    Page page = chromium.window(PageVariant.LIGHT);
    pier.admit(page);
    for (int i = 0; i < CORPUS.size(); i++) {
      make("agent-" + i, CORPUS.get(i));
      pier.post(
          "/api/agents/agent-" + i + "/messages",
          new ObjectMapper().createObjectNode().put("text", CORPUS.get(i)).toString());
    }
    page.navigate(pier.url() + "/agents");
    assertThat(page.locator("#agents h2")).hasCount(CORPUS.size());
    requireUnharmed(page);
    for (int i = 0; i < CORPUS.size(); i++) {
      for (String part : List.of("", "/edit", "/versions")) {
        page.navigate(pier.url() + "/agents/agent-" + i + part);
        assertThat(page.locator("#connection")).hasText("Live");
        assertThat(page.locator("#main")).containsText(CORPUS.get(i).substring(0, 5));
        requireUnharmed(page);
      }
    }
    page.navigate(pier.url() + "/agents?q=" + "%22%3E%3Cscript%3Ewindow.hacked%3D1%3C%2Fscript%3E");
    requireUnharmed(page);
  }

  @Test
  void messages_questions_and_results_are_never_executed() throws Exception {
    Page page = chromium.window(PageVariant.LIGHT);
    pier.admit(page);
    for (JsonNode agent : Yaml.own(TALKERS)) {
      pier.post("/api/agents", agent.toString());
    }
    pier.post("/api/spaces", json("name", CORPUS.getFirst(), "id", "deck", "topic", CORPUS.get(1)));
    pier.post("/api/spaces/deck/members", json("member", "talker"));
    for (String text : CORPUS) {
      pier.post("/api/spaces/deck/messages", json("text", text));
      pier.post("/api/agents/grump/messages", json("text", text));
    }
    int all = CORPUS.size();
    // Each text was posted, returned by a tool, used in a question and sent to the operator.
    await("/api/pending?limit=200", found -> found.path("pending").size() == all);
    await("/api/runs?agent=talker", found -> found.at("/runs/0/status").asText().equals("done"));
    await("/api/runs?agent=grump", found -> found.toString().contains("\"failed\""));
    page.navigate(pier.url() + "/spaces/deck");
    assertThat(page.locator(".tool-card.good")).hasCount(all);
    for (var details : page.locator(".tool-card details").all()) {
      details.evaluate("one => (one.open = true)");
    }
    // The result of the tool, not its arguments.
    assertThat(page.locator(".tool-card.good dl").last()).containsText("</template><img");
    requireSeen(page);
    for (String path : List.of("/approvals", "/mail", "/mail?folder=all")) {
      page.navigate(pier.url() + path);
      requireSeen(page);
    }
    for (JsonNode run : pier.get("/api/runs").path("runs")) {
      page.navigate(pier.url() + "/runs/" + run.path("id").asText());
      for (var bar : page.locator(".waterfall details").all()) {
        bar.evaluate("one => (one.open = true)");
      }
      requireUnharmed(page);
    }
    for (String path : List.of("/team", "/team?who=talker", "/health", "/runs", "/spaces")) {
      page.navigate(pier.url() + path);
      assertThat(page.locator("#connection")).hasText("Live");
      requireUnharmed(page);
    }
    page.keyboard().press("Control+k");
    assertThat(page.locator("#palette-list")).containsText("<script>");
    requireUnharmed(page);
  }

  @Test
  void a_hostile_name_neither_widens_the_page_nor_reverses_the_text_after_it() throws Exception {
    Page page = chromium.window(PageVariant.NARROW);
    pier.admit(page);
    make("long", "x".repeat(60));
    make("turned", "mira \u202Egnp.exe");
    for (String handle : List.of("long", "turned")) {
      for (String part : List.of("", "/versions")) {
        page.navigate(pier.url() + "/agents/" + handle + part);
        assertThat(page.locator("#connection")).hasText("Live");
        assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
            .as(handle + part)
            .isEqualTo(true);
        assertThat(page.locator(".crumbs > :nth-child(3)")).hasCSS("unicode-bidi", "isolate");
      }
    }
  }

  private static final String ASKER =
      """
      name: asker
      tools:
        - name: delete_files
          description: Deletes files.
          executionType: space
          display: { customUI: approval, title: "Delete these files?" }
      provider:
        name: scripted
        playbook:
          - when: { kind: space_message }
            do:
              - { call: enter_space, with: { spaceId: deck } }
              - { call: delete_files, with: { action: "Delete the old report", path: "{{event.text}}" } }
      """;

  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "NARROW"})
  void hidden_characters_of_an_approval_are_visible_before_the_decision(PageVariant look)
      throws Exception {
    Page page = chromium.window(look);
    pier.admit(page);
    pier.post("/api/agents", Yaml.own(ASKER).toString());
    pier.post("/api/spaces", json("name", "Deck", "id", "deck"));
    pier.post("/api/spaces/deck/members", json("member", "asker"));
    String path = "/srv/report\u202efdp.sh\u200b ; see [docs.example](https://evil.example/x)";
    pier.post("/api/spaces/deck/messages", json("text", path + " " + "long ".repeat(3_000)));
    await("/api/pending", found -> found.path("pending").size() == 1);
    for (String where : List.of("/approvals", "/spaces/deck")) {
      page.navigate(pier.url() + where);
      assertThat(page.locator("#connection")).hasText("Live");
      var shown = page.locator(".exact .hidden-character");
      assertThat(shown.first()).hasText("\\u{202E}");
      assertThat(shown).hasCount(2);
      assertThat(page.locator(".exact")).containsText("more characters");
      assertThat(page.locator("#main")).containsText("The arguments contain hidden characters");
      assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
          .as(where)
          .isEqualTo(true);
    }
    assertThat(page.locator(".real-host").first()).hasText("(links to evil.example)");
    page.navigate(pier.url() + "/approvals");
    page.locator("text=Raw JSON").click();
    assertThat(page.locator("pre")).containsText("report\\u202Efdp.sh\\u200B");
    page.goBack();
    page.locator("[data-key=y]").click();
    await("/api/pending", found -> found.path("pending").isEmpty());
    chromium.requireContent();
  }

  private static final String ECHO =
      """
      name: echo
      provider: { name: scripted, playbook: [ { do: [ { say: "{{event.text}}" } ] } ] }
      """;

  /// Scripts render data from the event stream, in which the daemon has escaped hidden characters.
  @Test
  void scripts_receive_text_with_escaped_hidden_characters() throws Exception {
    Page page = chromium.window(PageVariant.LIGHT);
    pier.admit(page);
    pier.post("/api/agents", Yaml.own(ECHO).toString());
    page.navigate(pier.url() + "/agents/echo");
    assertThat(page.locator("#connection")).hasText("Live");
    page.evaluate(
        """
        window.heard = new Promise(hear => document.addEventListener("substrat:event", ({ detail }) => {
          if (detail.kind === "turn_ended") hear(detail.response);
        })), true
        """);
    String text = "a\u202eb\u200bc\u2066d\u3164e\u2800 م\u200cخ";
    pier.post("/api/agents/echo/messages", json("text", text));
    assertThat(page.evaluate("window.heard")).isEqualTo(HiddenCharacters.escape(text));
  }

  /// The whole text is on the page, as text.
  private void requireSeen(Page page) {
    assertThat(page.locator("#connection")).hasText("Live");
    for (String text : CORPUS) {
      assertThat(page.locator("#main")).containsText(text.substring(0, 12));
    }
    requireUnharmed(page);
  }

  private void await(String path, Predicate<JsonNode> wanted) {
    Await.until(() -> wanted.test(pier.peek(path)), () -> pier.peek(path).toPrettyString());
  }

  private static String json(String... pairs) {
    var object = new ObjectMapper().createObjectNode();
    for (int i = 0; i < pairs.length; i += 2) {
      object.put(pairs[i], pairs[i + 1]);
    }
    return object.toString();
  }

  private void requireUnharmed(Page page) {
    assertThat(page.evaluate("window.hacked === undefined")).isEqualTo(true);
    // No script was blocked either: the content policy would have reported it.
    chromium.requireContent();
  }

  private void make(String handle, String text) throws Exception {
    var config = new ObjectMapper().createObjectNode().put("name", text).put("handle", handle);
    config.put("description", text).put("systemPrompt", text);
    config.putObject("provider").put("name", "external");
    var skill = config.putArray("skills").addObject().put("name", text);
    skill.put("description", text).put("category", text);
    config.putArray("categories").addObject().put("name", text);
    pier.post("/api/agents", config.toString());
  }
}
