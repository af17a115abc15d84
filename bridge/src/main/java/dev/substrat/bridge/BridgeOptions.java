package dev.substrat.bridge;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Command line options of the bridge: principal and data directory. Without an agent the client is
/// a zoo client, with an optional default agent.
record BridgeOptions(
    Path data, @Nullable String agent, @Nullable String defaultAgent, @Nullable Path tokenFile) {
  private static final int MAX_NAME_LENGTH = 100;

  static BridgeOptions parse(String[] args, Map<String, String> environment) {
    String data = null;
    String agent = null;
    String defaultAgent = null;
    String tokenFile = null;
    boolean zoo = false;
    for (int i = 0; i < args.length; i++) {
      int equals = args[i].indexOf('=');
      String name = equals < 0 ? args[i] : args[i].substring(0, equals);
      if (equals < 0 && (name.equals("--zoo") || name.equals("--json"))) {
        zoo |= name.equals("--zoo");
        continue;
      }
      String value =
          equals >= 0 ? args[i].substring(equals + 1) : i + 1 < args.length ? args[++i] : "";
      switch (name) {
        case "--data" -> data = required(name, value);
        case "--agent" -> agent = required(name, value);
        case "--default" -> defaultAgent = required(name, value);
        case "--token-file" -> tokenFile = required(name, value);
        default -> throw wrong("unknown option " + name);
      }
    }
    if ((agent == null) != zoo) {
      throw wrong("--agent NAME or --zoo is missing");
    }
    if (defaultAgent != null && !zoo) {
      throw wrong("--default needs --zoo");
    }
    return new BridgeOptions(
        data == null ? usualData(environment) : absolute(data),
        agent == null ? null : safe(agent),
        defaultAgent == null ? null : safe(defaultAgent),
        tokenFile == null ? null : absolute(tokenFile));
  }

  /// The same default as the daemon and the command line.
  private static Path usualData(Map<String, String> environment) {
    String chosen = environment.getOrDefault("SUBSTRAT_DATA", "");
    return chosen.isBlank() ? absolute(home(environment)).resolve(".substrat") : absolute(chosen);
  }

  private static String home(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    return home.isBlank() ? System.getProperty("user.home") : home;
  }

  private static Path absolute(String path) {
    return Path.of(path).toAbsolutePath().normalize();
  }

  private static String required(String name, String value) {
    if (value.isBlank()) {
      throw wrong(name + " needs a value");
    }
    return value;
  }

  /// Validates the name, because it becomes part of file and URL paths.
  private static String safe(String agent) {
    boolean isSafe = agent.length() <= MAX_NAME_LENGTH;
    for (int i = 0; i < agent.length(); i++) {
      char c = agent.charAt(i);
      isSafe &=
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '_';
    }
    if (!isSafe) {
      throw wrong("an agent's id or handle may contain only letters, digits and dashes");
    }
    return agent;
  }

  private static BridgeError wrong(String reason) {
    return new BridgeError("INVALID_ARGUMENTS", reason, "./substrat mcp --help shows examples");
  }

  /// Default path of the token file.
  Path defaultTokenFile() {
    if (agent != null) {
      return data.resolve("agents").resolve(agent + ".token");
    }
    return defaultAgent == null
        ? data.resolve("zoo.token")
        : data.resolve("zoo").resolve(defaultAgent + ".token");
  }

  /// Request body for a new token. The validated name needs no escaping.
  String tokenRequestBody() {
    if (agent != null) {
      return "{\"label\":\"mcp\"}";
    }
    return defaultAgent == null
        ? "{\"zoo\":true}"
        : "{\"zoo\":true,\"defaultAgent\":\"" + defaultAgent + "\"}";
  }

  /// Principal of the client, sent to the daemon.
  String principal() {
    return agent == null ? "zoo" : "agent/" + agent;
  }

  /// Path for creating a token.
  String tokenPath() {
    return agent == null ? "/api/tokens" : "/api/agents/" + agent + "/tokens";
  }
}
