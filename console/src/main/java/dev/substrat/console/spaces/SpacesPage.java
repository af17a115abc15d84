package dev.substrat.console.spaces;

import dev.substrat.console.Frame;
import dev.substrat.console.View;
import java.util.List;

/// Spaces that whoever looks can see, by id. `next` is where the following page begins, or empty;
/// `everybody` are those who could be in a new one.
public record SpacesPage(Frame frame, List<SpaceLine> spaces, String next, List<String> everybody)
    implements View {

  public boolean mayCreate() {
    return frame.viewer().isOperator();
  }

  @Override
  public String template() {
    return "spaces/list";
  }
}
