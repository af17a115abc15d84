package dev.substrat.house;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Checks SQL in sources: a table is written by the layer that owns it and by no other. Each
/// violation is one line.
final class TableOwners {
  private static final Pattern CREATED =
      Pattern.compile("(?i)create\\s+(?:virtual\\s+)?table\\s+(?:if not exists\\s+)?(\\w+)");
  private static final Pattern WRITTEN =
      Pattern.compile(
          "\\b(?:insert\\s+(?:or\\s+\\w+\\s+)?into|delete\\s+from|update)\\s+(\\w+)(?=[\\s(;\"])");

  private final Map<String, String> owners = new TreeMap<>();

  private TableOwners() {}

  /// Reads lines `LAYER: TABLE TABLE …`.
  static TableOwners parse(String list) {
    var result = new TableOwners();
    for (String line : list.lines().filter(line -> !line.startsWith("#")).toList()) {
      String[] parts = line.split(":", 2);
      for (String table : parts[1].strip().split("\\s+")) {
        if (result.owners.put(table, parts[0].strip()) != null) {
          throw new IllegalArgumentException("table with two owners: " + table);
        }
      }
    }
    return result;
  }

  /// Compares the list with the tables that `migrations` create and the statements in `sources`.
  List<String> violations(Path sources, List<String> migrations) {
    var violations = new ArrayList<String>();
    Set<String> tables = new TreeSet<>();
    for (String migration : migrations) {
      CREATED.matcher(migration).results().forEach(match -> tables.add(match.group(1)));
    }
    tables.stream()
        .filter(table -> !owners.containsKey(table))
        .forEach(table -> violations.add("table " + table + " has no owner"));
    for (Path file : SourceRules.javaFiles(sources)) {
      checkFile(sources, file, violations);
    }
    return violations.stream().distinct().toList();
  }

  private void checkFile(Path sources, Path file, List<String> violations) {
    String layer = sources.resolve("dev/substrat").relativize(file).getName(0).toString();
    WRITTEN
        .matcher(SourceRules.read(file))
        .results()
        .map(match -> match.group(1))
        .filter(table -> owners.containsKey(table) && !owners.get(table).equals(layer))
        .forEach(table ->
            violations.add(
                "%s writes table %s, which belongs to %s"
                    .formatted(file.getFileName(), table, owners.get(table))));
  }
}
