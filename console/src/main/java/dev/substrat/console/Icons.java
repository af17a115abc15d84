package dev.substrat.console;

import java.util.Map;

/// SVG paths of the icons, 24 by 24.
public final class Icons {
  private static final Map<String, String> PATHS =
      Map.ofEntries(
          Map.entry(
              "agents",
              "M12 3v3M7 6h10a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2zM9.5 11v1.5M14.5 11v1.5M9 21h6"),
          Map.entry(
              "team",
              "M12 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM6 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM18 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM12 8v4M6 16v-2a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v2"),
          Map.entry(
              "spaces",
              "M4 6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-6l-4 4v-4H6a2 2 0 0 1-2-2zM8 8.5h8M8 11.5h5"),
          Map.entry(
              "approvals", "M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6zM9 11.5l2.2 2.200L15 10"),
          Map.entry("runs", "M4 12h3l2.5-6 4.5 12 2.5-6H20"),
          Map.entry(
              "mail",
              "M4 7a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM4.5 7.500L12 13l7.5-5.5"),
          Map.entry(
              "health",
              "M12 20s-7-4.5-8.5-9C2.5 8 4.5 5 7.5 5c2 0 3.5 1 4.5 2.500C13 6 14.5 5 16.5 5c3 0 5 3 4 6-1.5 4.5-8.5 9-8.5 9z"),
          Map.entry("search", "M11 4.500a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM16 16l4 4"),
          Map.entry("plus", "M12 5v14M5 12h14"),
          Map.entry("close", "M6 6l12 12M18 6L6 18"),
          Map.entry("up", "M6 14.500l6-6 6 6"),
          Map.entry("down", "M6 9.500l6 6 6-6"),
          Map.entry("grip", "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01"),
          Map.entry("theme", "M12 3.500a8.5 8.5 0 1 0 0 17zM12 3.500a8.5 8.5 0 0 1 0 17"),
          Map.entry(
              "help",
              "M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9.8 9.500a2.3 2.3 0 1 1 3.2 2.100c-.7.3-1 .8-1 1.600M12 16.300v.01"),
          Map.entry("leave", "M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4M10 8l-4 4 4 4M6 12h9"),
          Map.entry("send", "M5 12l14-7-4 15-3.5-6zM11.5 14L19 5"),
          Map.entry("bolt", "M13 3L5 13.500h6L10 21l8-10.500h-6z"),
          Map.entry("pause", "M9 5v14M15 5v14"),
          Map.entry("unposted", "M5 5h14v10h-8l-4 4v-4H5zM9 10h6"),
          Map.entry("play", "M8 5l11 7-11 7z"),
          Map.entry("edit", "M5 19h3.500L19 8.5 15.5 5 5 15.500zM13.5 7l3.5 3.5"),
          Map.entry(
              "copy",
              "M9 9h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM16 9V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h3"),
          Map.entry(
              "history", "M4 12a8 8 0 1 0 2.5-5.800L4 8.500M4 4v4.500h4.500M12 8v4.500l3 1.5"),
          Map.entry(
              "lock",
              "M7 11h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM8.5 11V8a3.5 3.5 0 0 1 7 0v3"),
          Map.entry("reply", "M9 7L4 12l5 5M4.500 12H15a5 5 0 0 1 5 5v2"),
          Map.entry(
              "smile",
              "M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9 10v.5M15 10v.5M8.5 14a4 4 0 0 0 7 0"),
          Map.entry(
              "people",
              "M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3.500 19a5.500 5.500 0 0 1 11 0M16 5.500a3 3 0 0 1 0 5.500M17.500 14.200a5.500 5.500 0 0 1 3 4.800"),
          Map.entry("bell", "M6.500 16V11a5.500 5.500 0 0 1 11 0v5l1.500 1.500H5zM10 20h4"),
          Map.entry("retry", "M20 12a8 8 0 1 1-2.500-5.800L20 8.500M20 4v4.500h-4.500"),
          Map.entry(
              "fork",
              "M7 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM17 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM12 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM7 8v1a3 3 0 0 0 3 3h4a3 3 0 0 0 3-3V8M12 12v4"),
          Map.entry("check", "M5 12.500l4.5 4.500L19 7.5"),
          Map.entry(
              "inbox", "M4 13l3-8h10l3 8v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM4 13h5l1 2h4l1-2h5"));

  private Icons() {}

  public static String path(String name) {
    String path = PATHS.get(name);
    if (path == null) {
      throw new IllegalArgumentException("unknown icon " + name);
    }
    return path;
  }
}
