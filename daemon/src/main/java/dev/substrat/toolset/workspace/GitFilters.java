package dev.substrat.toolset.workspace;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Filter programs named in a repository's configuration. Which files they apply to is decided by
/// `.gitattributes`, which agents can write.
final class GitFilters {
  /// Where git keeps them: `filter.NAME.KEY`.
  static final String KEYS = "^filter\\..*\\.";

  /// What git exits with if there are none.
  static final int NONE = 1;

  private static final String PREFIX = "filter.";

  private static final Map<String, String> OFF =
      Map.of("clean", "", "smudge", "", "process", "", "required", "false");

  private GitFilters() {}

  /// What git has to find in its environment to use none of them. A name may have any character in
  /// it, so on the command line it could be mistaken for something else.
  static Map<String, String> disabled(List<String> keys) {
    var names = new TreeSet<String>();
    for (String key : keys) {
      names.add(key.substring(PREFIX.length(), key.lastIndexOf('.')));
    }
    var environment = new HashMap<String, String>();
    int count = 0;
    for (String name : names) {
      for (var setting : OFF.entrySet()) {
        environment.put("GIT_CONFIG_KEY_" + count, PREFIX + name + "." + setting.getKey());
        environment.put("GIT_CONFIG_VALUE_" + count++, setting.getValue());
      }
    }
    environment.put("GIT_CONFIG_COUNT", String.valueOf(count));
    return environment;
  }
}
