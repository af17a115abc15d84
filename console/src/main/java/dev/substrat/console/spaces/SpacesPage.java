package dev.substrat.console.spaces;

import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Spaces that whoever looks can see, by id, and what was said last in each. `next` is where the
/// following page begins, or empty; `everybody` are those who could be in a new one.
public record SpacesPage(
    PageFrame frame,
    Instant now,
    List<SpaceRow> spaces,
    Map<String, LatestMessage> latest,
    String next,
    List<String> everybody)
    implements View {

  public boolean mayCreate() {
    return frame.viewer().isOperator();
  }

  /// What was said last there; nothing, if nothing was.
  public @Nullable LatestMessage latest(SpaceRow space) {
    return latest.get(space.id());
  }

  @Override
  public String template() {
    return "spaces/list";
  }
}
