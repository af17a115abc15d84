package dev.substrat.console.spaces;

/// A space among others. `unread` is how much whoever looks has not read there, `waiting` how many
/// questions there wait for somebody.
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
