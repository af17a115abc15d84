package dev.substrat.console;

import java.util.List;

/// What stands around every page, for whoever looks at it.
///
/// `assets` is the folder of this build's styles and scripts. `seen` is the number of the newest
/// event when the page was made: the page follows what comes after it. `notice` is what was just
/// done, in one sentence, or empty.
public record PageFrame(
    String title,
    ConsoleSection section,
    List<ConsoleSection> sections,
    Viewer viewer,
    Waiting waiting,
    String assets,
    long seen,
    String notice) {

  /// Who looks. Whoever may only read is shown no buttons that change something.
  public record Viewer(String name, boolean isOperator, boolean isReadOnly) {}

  /// What waits for whoever looks: questions, letters, and spaces with something new.
  public record Waiting(long approvals, long mail, long spaces) {}

  /// What waits in one part of the console.
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

  /// Where a style or script is.
  public String asset(String name) {
    return assets + name;
  }
}
