package dev.substrat.console.spaces;

import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// List of the spaces that the viewer can see, with their latest messages. `next` is the cursor of
/// the next page, or empty; `everybody` are possible members of a new space.
public record SpacesPage(
    PageFrame frame,
    Instant now,
    List<SpaceRow> spaces,
    Map<String, LatestMessage> latest,
    String next,
    List<String> candidates)
    implements View {

  public boolean mayCreate() {
    return frame.viewer().isOperator();
  }

  /// Latest message, or null.
  public @Nullable LatestMessage latest(SpaceRow space) {
    return latest.get(space.id());
  }

  @Override
  public String template() {
    return "spaces/list";
  }
}
