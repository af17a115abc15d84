package dev.substrat.console.agents;

import dev.substrat.console.Avatar;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An agent among others. `mind` is what thinks for it, provider and model; `waiting` is how much
/// mail it has not read, `approvals` how many of its calls wait for somebody.
public record AgentCard(
    String id,
    String handle,
    String name,
    String description,
    String role,
    String mind,
    Condition condition,
    @Nullable Instant lastActive,
    long waiting,
    long approvals) {

  /// Its name, and its handle where the name does not suggest it: two can have one name.
  public String called() {
    return called(name, handle);
  }

  public static String called(String name, String handle) {
    String suggested = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return suggested.replaceAll("^-|-$", "").equals(handle) ? name : name + " (@" + handle + ")";
  }

  public String path() {
    return "/agents/" + handle;
  }

  public Avatar avatar() {
    return Avatar.of(id, name);
  }
}
