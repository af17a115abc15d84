package dev.substrat.console;

import java.util.List;

/// Frame of every page: navigation, viewer, counts, notice.
///
/// `assets` is the base path of this build's assets. `seen` is the number of the newest event when
/// the page was rendered: the page subscribes to later events. `notice` is the confirmation of the
/// last action, or empty.
public record PageFrame(
    String title,
    ConsoleSection section,
    List<ConsoleSection> sections,
    PageViewer viewer,
    NavigationCounts waiting,
    String assets,
    long seen,
    String notice) {

  /// The person who views the page. A read-only viewer gets no buttons that change something.
  public record PageViewer(String name, boolean isOperator, boolean isReadOnly) {}

  /// Counts for the navigation: open approvals, unread messages, spaces with unread messages.
  public record NavigationCounts(long approvals, long mail, long spaces) {}

  /// Count shown at a section.
  public long waitingIn(ConsoleSection one) {
    return switch (one) {
      case APPROVALS -> waiting.approvals();
      case MAIL -> waiting.mail();
      case SPACES -> waiting.spaces();
      case AGENTS, TEAM, RUNS, HEALTH -> 0;
    };
  }

  public boolean isHere(ConsoleSection one) {
    return one == section;
  }

  /// URL of an asset.
  public String asset(String name) {
    return assets + name;
  }
}
