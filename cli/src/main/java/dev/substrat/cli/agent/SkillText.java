package dev.substrat.cli.agent;

/// Text of a skill, split into the two parts of a `SKILL.md`: a short description, never empty, and
/// the body. [#joined] restores the original text.
record SkillText(String summary, String body) {
  private static final int LONGEST_SUMMARY = 1_024;

  /// End of a shortened summary; the body then has the whole text.
  private static final String CUT = "…";

  static SkillText of(String name, String description) {
    String text = description.replace("\r\n", "\n").strip();
    if (text.isEmpty()) {
      return new SkillText(name, "");
    }
    int end = text.indexOf("\n\n");
    String first = end < 0 ? text : text.substring(0, end);
    String rest = end < 0 ? "" : text.substring(end + 2);
    boolean isWhole =
        first.length() <= LONGEST_SUMMARY
            && first.strip().equals(first)
            && joined(name, first, rest).equals(text);
    return isWhole ? new SkillText(first, rest) : new SkillText(cut(first), text);
  }

  private static String cut(String text) {
    String line = text.lines().findFirst().orElse("");
    int limit = LONGEST_SUMMARY - CUT.length();
    return (line.length() <= limit
                ? line
                : line.substring(0, line.offsetByCodePoints(0, limit / 2)))
            .stripTrailing()
        + CUT;
  }

  static String joined(String name, String summary, String body) {
    String rest = body.replaceAll("^\\n+", "").stripTrailing();
    if (rest.isEmpty()) {
      return summary.equals(name) ? "" : summary;
    }
    boolean isCut =
        summary.endsWith(CUT)
            && rest.startsWith(summary.substring(0, summary.length() - CUT.length()));
    return summary.isEmpty() || isCut ? rest : summary + "\n\n" + rest;
  }
}
