package dev.substrat.console.spaces;

/// A space among others. `unread` is how much whoever looks has not read there.
public record SpaceLine(
    String id, String name, String kind, String topic, int members, long unread, boolean isHere) {

  public String path() {
    return "/spaces/" + id;
  }

  public boolean isPrivate() {
    return !kind.equals("public");
  }
}
