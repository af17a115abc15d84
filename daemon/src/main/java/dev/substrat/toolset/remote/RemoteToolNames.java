package dev.substrat.toolset.remote;

import dev.substrat.platform.json.ContentHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Names of remote tools for an agent: their own names, if unique.
///
/// If names collide, all remote tools concerned get the name of their server as a prefix, so a name
/// does not depend on the order. A tool whose name still collides is not available.
final class RemoteToolNames {
  private static final int MAX_LENGTH = 64;

  private final Set<String> taken;
  private final Map<String, Integer> plain = new HashMap<>();
  private final Map<String, Integer> prefixed = new HashMap<>();

  RemoteToolNames(Set<String> taken, List<PinnedTool> pins) {
    this.taken = taken;
    for (PinnedTool pin : pins) {
      plain.merge(cleaned(pin.tool()), 1, Integer::sum);
      prefixed.merge(prefixed(pin), 1, Integer::sum);
    }
  }

  Optional<String> of(PinnedTool pin) {
    String own = cleaned(pin.tool());
    if (!taken.contains(own) && plain.getOrDefault(own, 0) == 1) {
      return Optional.of(own);
    }
    String longer = prefixed(pin);
    boolean isFree =
        !taken.contains(longer) && prefixed.getOrDefault(longer, 0) == 1 && !isPlain(longer);
    return isFree ? Optional.of(longer) : Optional.empty();
  }

  /// Whether this name may refer to that tool.
  static boolean mayMean(String name, PinnedTool pin) {
    return name.equals(cleaned(pin.tool())) || name.equals(prefixed(pin));
  }

  /// Whether the name is unique.
  private boolean isPlain(String name) {
    return plain.containsKey(name);
  }

  /// All names that a tool of a server can have.
  static Set<String> possible(String server, String tool) {
    return Set.of(cleaned(tool), prefixed(server, tool));
  }

  private static String prefixed(PinnedTool pin) {
    return prefixed(pin.server(), pin.tool());
  }

  private static String prefixed(String server, String tool) {
    return cleaned(server + "_" + tool);
  }

  /// With the characters that models allow. A name that is too long ends with a hash.
  private static String cleaned(String name) {
    String clean = name.replaceAll("[^A-Za-z0-9_-]", "_");
    return clean.length() <= MAX_LENGTH
        ? clean
        : clean.substring(0, MAX_LENGTH - 9) + "_" + ContentHash.of(name).substring(0, 8);
  }
}
