package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Page;
import dev.substrat.clients.browser.Chromium.Look;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whatever agents and people write, on a page it is text.
@Timeout(300)
final class HostileTextTest {
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

  @TempDir private Path data;
  private Chromium chromium;
  private Pier pier;

  @BeforeEach
  void open() {
    chromium = new Chromium();
    pier = new Pier(data);
  }

  @AfterEach
  void close() {
    if (pier != null) {
      pier.close();
    }
    chromium.close();
  }

  @Test
  void nothing_that_was_written_ever_runs() throws Exception {
    Page page = chromium.window(Look.LIGHT);
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

  private void requireUnharmed(Page page) {
    assertThat(page.evaluate("window.hacked === undefined")).isEqualTo(true);
    // Nothing even tried: the policy would have complained.
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
