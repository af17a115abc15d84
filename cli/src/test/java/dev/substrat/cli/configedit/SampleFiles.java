package dev.substrat.cli.configedit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Generator of unusual but valid configuration files.
final class SampleFiles {
  private static final List<String> NAMES = List.of("a", "git", "ours", "x-1", "servers", "z");
  private final Random random;
  private final String newline;
  private final String step;

  private SampleFiles(int seed) {
    this.random = new Random(seed);
    this.newline = random.nextInt(4) == 0 ? "\r\n" : "\n";
    this.step = pick("  ", "    ", "\t", "   ");
  }

  static String of(ConfigFormat notation, int seed) {
    var files = new SampleFiles(seed);
    return switch (notation) {
      case JSON -> files.json();
      case TOML -> files.toml();
      case YAML -> files.yaml();
    };
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private boolean maybe(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  private List<String> names() {
    var names = new ArrayList<>(NAMES);
    Collections.shuffle(names, random);
    return names.subList(0, random.nextInt(names.size()));
  }

  private String json() {
    if (maybe(20)) {
      return pick("", "\n", "// nothing\n", "/* no */ {}");
    }
    return pick("", "// head\n", "\n") + object(0, maybe(6)) + pick("", newline, " // tail\n");
  }

  private String object(int depth, boolean flat) {
    List<String> names = names();
    boolean oneLine = flat || maybe(5);
    String air = pick("", " ");
    String lineBreak = oneLine ? air : newline + step.repeat(depth + 1);
    var text = new StringBuilder("{");
    for (int i = 0; i < names.size(); i++) {
      text.append(!oneLine && maybe(4) ? lineBreak + "// about \"it\", {" : "").append(lineBreak);
      text.append('"')
          .append(names.get(i))
          .append('"')
          .append(air)
          .append(":")
          .append(pick(" ", ""));
      text.append(jsonValue(names.get(i), depth, oneLine));
      text.append(maybe(8) ? " /* , } */" : "");
      text.append(i < names.size() - 1 || maybe(4) ? "," : "");
      text.append(!oneLine && maybe(5) ? " // why" : "");
    }
    text.append(!oneLine && maybe(6) ? lineBreak + "// \"old\": {}," : "");
    return text.append(oneLine ? air : newline + step.repeat(depth)).append("}").toString();
  }

  private String jsonValue(String name, int depth, boolean flat) {
    boolean container = depth == 0 && name.equals("servers");
    if (container && maybe(6)) {
      return pick("null", "{}", "{ }", "{" + (flat ? "" : newline) + "}");
    }
    return container || (depth < 3 && maybe(3))
        ? object(depth + 1, flat)
        : pick(
            "1", "-2.5e3", "true", "\"a // \\\" }, é😀\"", "[1, [\"]\"], {\"ours\": 2}]", "\"\"");
  }

  private String toml() {
    var text = new StringBuilder(maybe(3) ? "# head" + newline : "");
    for (String name : names()) {
      if (!name.equals("servers")) {
        text.append(name).append(pick(" = ", "=")).append(tomlValue()).append(comment());
      }
    }
    for (String name : names()) {
      text.append(maybe(2) ? newline : "").append(maybe(4) ? "# about " + name + newline : "");
      String path = maybe(2) ? "servers." + name : "other." + pick(name, "\"" + name + ".x\"");
      text.append("[").append(path).append("]").append(comment());
      IntStream.range(0, random.nextInt(3))
          .forEach(i -> text.append("k" + i + " = ").append(tomlValue()).append(comment()));
      if (maybe(4)) {
        text.append("[")
            .append(path)
            .append(".env]")
            .append(newline)
            .append("E = 'x'")
            .append(comment());
      }
    }
    return maybe(5) ? text.toString().stripTrailing() : text.toString();
  }

  private String comment() {
    return pick("", "", " # [servers.ours]") + newline;
  }

  private String tomlValue() {
    return pick(
        "1",
        "true",
        "1979-05-27",
        "\"a # \\\" [b]\"",
        "'c:\\'",
        "[1, \"]\", # no\n  [2]]",
        "\"\"\"\n[servers.ours]\nx\"\"\"",
        "'''\n'it''''",
        "{ a = 1, \"b c\" = [2] }",
        "\"é😀\"");
  }

  private String yaml() {
    if (maybe(20)) {
      return pick("", "# nothing\n", "{}", "{a: 1}\n", "---\n");
    }
    var text = new StringBuilder(pick("", "# head" + newline, "---" + newline));
    for (String name : names()) {
      text.append(maybe(5) ? "# about " + name + newline : "").append(name).append(":");
      text.append(name.equals("servers") ? servers() : yamlValue("  ")).append(newline);
      text.append(maybe(5) ? newline : "");
    }
    return text.toString();
  }

  private String servers() {
    if (maybe(4)) {
      return pick("", " {}", " ~", " {a: {b: 1}}", " {\"ours\": {c: 1}, d: 2}", " # none");
    }
    String indentation = pick("  ", "    ", " ");
    var text = new StringBuilder(pick("", " # all"));
    for (String name : names()) {
      text.append(newline).append(maybe(4) ? indentation + "# about " + name + newline : "");
      text.append(indentation).append(pick(name, "\"" + name + "\"")).append(":");
      text.append(yamlValue(indentation + "  ")).append(maybe(6) ? newline : "");
    }
    return text.toString();
  }

  private String yamlValue(String indentation) {
    return pick(
        " 1",
        " 'it''s'",
        " \"é😀 # no\" # yes",
        "",
        " [a, b] # x",
        " {a: [1, 2], b: 'c'}",
        newline
            + indentation
            + "k: v"
            + newline
            + indentation
            + "l:"
            + newline
            + indentation
            + "- 1",
        " |" + newline + indentation + "text: x" + newline + newline + indentation + "more",
        " >-" + newline + indentation + "folded",
        newline + indentation + "deep:" + newline + indentation + "  er: true # end");
  }
}
