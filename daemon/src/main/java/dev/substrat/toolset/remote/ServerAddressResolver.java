package dev.substrat.toolset.remote;

import dev.substrat.mcp.client.ServerAddress;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.ContentHash;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.team.toolconfig.PlaceholderFiller;
import dev.substrat.team.toolconfig.UsedSecrets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Resolves the configured addresses of servers, with environment variables filled in.
final class ServerAddressResolver {
  private final AllowedEnvironment environment;
  private final Path hidden;
  private final ProgramHomes homes;

  /// `hidden` is the daemon's own folder, which programs have no business to see.
  ServerAddressResolver(AllowedEnvironment environment, Path hidden, ProgramHomes homes) {
    this.environment = environment;
    this.hidden = hidden;
    this.homes = homes;
  }

  /// Inserted values are added to `secrets`.
  ServerAddress of(AgentId agent, McpServerConfig server, UsedSecrets secrets) {
    var filling = new PlaceholderFiller(environment, Json.object(), secrets);
    return switch (server.transportOrDefault()) {
      case HTTP ->
          new ServerAddress.HttpAddress(url(server, filling), filled(server.headers(), filling));
      case SSE ->
          new ServerAddress.SseAddress(url(server, filling), filled(server.headers(), filling));
      case STDIO -> program(agent, server, filled(server.env(), filling), secrets);
    };
  }

  /// A program with paths of its own gets a home directory, because it sees no other. The others
  /// keep the usual one read-only, with a separate directory for caches.
  private ServerAddress.ProgramAddress program(
      AgentId agent, McpServerConfig server, Map<String, String> env, UsedSecrets secrets) {
    Path home = homes.require(agent, server);
    boolean hasPaths = !server.pathsOrNone().isEmpty();
    var environment = new LinkedHashMap<String, String>();
    if (hasPaths) {
      environment.put("HOME", home.toString());
    } else {
      environment.put("NPM_CONFIG_CACHE", home.resolve("npm").toString());
      environment.put("XDG_CACHE_HOME", home.resolve("cache").toString());
    }
    environment.putAll(env);
    return new ServerAddress.ProgramAddress(
        command(server),
        hasPaths ? home : Path.of(System.getProperty("java.io.tmpdir")),
        environment,
        new ServerAddress.ProgramRights(hasNetwork(server), views(server), List.of(home)),
        List.of(hidden),
        secrets::redact);
  }

  private static List<SandboxPolicy.VisiblePath> views(McpServerConfig server) {
    return server.pathsOrNone().stream()
        .map(one -> {
          Path path = Path.of(one.path());
          return new SandboxPolicy.VisiblePath(
              path,
              path,
              one.isWritable() ? SandboxPolicy.PathAccess.WRITE : SandboxPolicy.PathAccess.READ);
        })
        .toList();
  }

  private static String url(McpServerConfig server, PlaceholderFiller filling) {
    return filling.text(server.url() == null ? "" : server.url());
  }

  private static Map<String, String> filled(
      @Nullable Map<String, String> templates, PlaceholderFiller filling) {
    var filled = new LinkedHashMap<String, String>();
    if (templates != null) {
      templates.forEach((name, template) -> filled.put(name, filling.text(template)));
    }
    return filled;
  }

  /// The command of a program, exactly as it is started.
  static List<String> command(McpServerConfig server) {
    var command = new ArrayList<String>();
    command.add(String.valueOf(server.command()));
    if (server.args() != null) {
      command.addAll(server.args());
    }
    return command;
  }

  /// Environment variables of a program as configured, with placeholders.
  static Map<String, String> env(McpServerConfig server) {
    return server.env() == null ? Map.of() : new TreeMap<>(server.env());
  }

  static boolean hasNetwork(McpServerConfig server) {
    return Boolean.TRUE.equals(server.network());
  }

  /// Fingerprint of the configuration: for a program everything it is started with, for a remote
  /// server its URL.
  static String fingerprint(McpServerConfig server) {
    var place = Json.object().put("transport", server.transportOrDefault().name());
    if (server.transportOrDefault() == McpServerConfig.ServerTransport.STDIO) {
      place.set("command", Json.tree(command(server)));
      place.set("env", Json.tree(env(server)));
      place.put("network", hasNetwork(server));
      if (!server.pathsOrNone().isEmpty()) {
        // Omitted if empty, so that programs approved by older versions stay approved.
        place.set("paths", Json.tree(server.pathsOrNone()));
      }
    } else {
      place.put("url", server.url());
    }
    return ContentHash.of(Json.text(place));
  }
}
