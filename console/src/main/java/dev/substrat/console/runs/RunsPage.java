package dev.substrat.console.runs;

import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// List of runs, newest first, with filters. `older` is the cursor of the next page.
public record RunsPage(
    PageFrame frame,
    Instant now,
    RunSearch search,
    AgentFilterOptions agents,
    List<RunRow> runs,
    @Nullable String older)
    implements View {

  /// Agents of the filter; `isCut` if there are more.
  public record AgentFilterOptions(List<String> handles, boolean isCut) {}

  /// Filters; empty means all. `before` is the cursor.
  public record RunSearch(String agent, String status, String before) {
    public boolean isEverything() {
      return agent.isEmpty() && status.isEmpty() && before.isEmpty();
    }

    public boolean isNewest() {
      return before.isEmpty();
    }
  }

  /// Whether there are no runs yet.
  public boolean isFirstVisit() {
    return runs.isEmpty() && search.isEverything();
  }

  public String olderPath() {
    return path(older == null ? "" : older);
  }

  public String newestPath() {
    return path("");
  }

  private String path(String before) {
    return "/runs?agent="
        + encoded(search.agent())
        + "&status="
        + encoded(search.status())
        + "&before="
        + encoded(before);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public String template() {
    return "runs/list";
  }
}
