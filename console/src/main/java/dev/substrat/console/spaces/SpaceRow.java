package dev.substrat.console.spaces;

/// Summary of a space. `unread` is the number of messages that the viewer has not read, `waiting`
/// the number of open questions.
public record SpaceRow(
    String id,
    String name,
    String kind,
    String topic,
    int members,
    long unread,
    long waiting,
    boolean isHere) {

  public String path() {
    return "/spaces/" + id;
  }

  public boolean isPrivate() {
    return !kind.equals("public");
  }
}
