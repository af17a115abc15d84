package dev.substrat.team.toolconfig;

import dev.substrat.protocol.ErrorCode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Environment variables of the daemon that configurations may use (`--allow-env`).
public final class AllowedEnvironment {
  private final Set<String> allowed;
  private final Map<String, String> values;

  public AllowedEnvironment(Set<String> allowed, Map<String, String> values) {
    this.allowed = new TreeSet<>(allowed);
    this.values = Map.copyOf(values);
  }

  /// That of this process.
  public static AllowedEnvironment allowing(Set<String> names) {
    return new AllowedEnvironment(names, System.getenv());
  }

  /// Rejects a variable that is not allowed; `place` is the pointer that uses it.
  public void requireAllowed(String name, String place) {
    if (!allowed.contains(name)) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "%s reads the environment variable %s, which is not allowed".formatted(place, name),
          "start the daemon with --allow-env " + name);
    }
  }

  /// The value, only for sending: it must not be stored or shown.
  public String require(String name) {
    requireAllowed(name, "the configuration");
    String value = values.get(name);
    if (value == null) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "the environment variable " + name + " is not set", "set it and restart the daemon");
    }
    return value;
  }

  /// The value of a variable if configurations may read it. For the wire only.
  public Optional<String> findAllowed(String name) {
    return allowed.contains(name) ? find(name) : Optional.empty();
  }

  /// The value of a variable that the daemon itself uses, where no configuration chooses the
  /// recipient. Only for sending.
  public Optional<String> find(String name) {
    return Optional.ofNullable(values.get(name)).filter(value -> !value.isBlank());
  }
}
