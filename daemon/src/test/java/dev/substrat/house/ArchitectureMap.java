package dev.substrat.house;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The table of layers and packages in ARCHITECTURE.md, generated from [LayerRules#LAYERS] and the
/// first sentence of each `package-info.java`.
final class ArchitectureMap {
  private static final String BEGIN = "<!-- layers: generated -->\n";
  private static final String END = "<!-- end of layers -->\n";

  private ArchitectureMap() {}

  /// `page` with the current table between its two markers.
  static String renewed(String page, Path project) {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("ARCHITECTURE.md has no place for the map: " + BEGIN);
    }
    return page.substring(0, begin + BEGIN.length()) + table(project) + page.substring(end);
  }

  private static String table(Path project) {
    var table = new StringBuilder("\n| layer | package | contents |\n|---|---|---|\n");
    for (String layer : LayerRules.LAYERS.reversed()) {
      for (Path info : infos(project, layer)) {
        String name = packageName(info);
        table.append(
            "| %s | `%s` | %s |%n"
                .formatted(
                    name.equals(layer) ? "**" + layer + "**" : "", name, firstSentence(info)));
      }
    }
    return table.append('\n').toString();
  }

  private static List<Path> infos(Path project, String layer) {
    String module = List.of("protocol", "console").contains(layer) ? layer : "daemon";
    Path root = project.resolve(module).resolve("src/main/java/dev/substrat").resolve(layer);
    var infos = new ArrayList<Path>();
    for (Path file : SourceRules.javaFiles(root)) {
      if (file.endsWith("package-info.java")) {
        infos.add(file);
      }
    }
    infos.sort((a, b) -> packageName(a).compareTo(packageName(b)));
    return infos;
  }

  private static String packageName(Path info) {
    String text = SourceRules.read(info);
    int at = text.indexOf("package dev.substrat.") + "package dev.substrat.".length();
    return text.substring(at, text.indexOf(';', at));
  }

  private static String firstSentence(Path info) {
    String text =
        SourceRules.read(info)
            .lines()
            .takeWhile(line -> line.startsWith("/// "))
            .map(line -> line.substring(4))
            .collect(Collectors.joining(" "));
    int stop = text.indexOf(". ");
    return stop < 0 ? text : text.substring(0, stop + 1);
  }
}
