package dev.substrat.provider.agentcli;

import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.team.ProviderConfig;
import dev.substrat.team.toolconfig.PlaceholderFiller;
import dev.substrat.team.toolconfig.UsedSecrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Validation of the provider settings of agent CLIs. Unsupported settings are rejected when the
/// agent is created.
public final class CliSettingsValidation {
  private static final int MAX_WORDS = 64;
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern FROM_ENVIRONMENT =
      Pattern.compile("\\$\\{env\\.[A-Za-z_][A-Za-z0-9_]*}");

  private final CliHost machine;

  public CliSettingsValidation(CliHost machine) {
    this.machine = machine;
  }

  static boolean wantsStdio(ProviderConfig config) {
    return "stdio".equals(config.mcp());
  }

  /// Validates the settings and returns them. `usual` is the default command.
  public ProviderConfig prepare(ProviderConfig config, List<String> usual) {
    refuseOthers(config);
    requireToolEndpoint(config);
    requireCommand(config.command() == null ? usual : config.command());
    requireDirectory(config.directory());
    requireEnvironment(config);
    return config;
  }

  private static void refuseOthers(ProviderConfig config) {
    var others = new LinkedHashMap<String, @Nullable Object>();
    others.put("playbook", config.playbook());
    others.put("playbookFile", config.playbookFile());
    others.put("chaos", config.chaos());
    others.put("temperature", config.temperature());
    others.put("maxOutputTokens", config.maxOutputTokens());
    others.put("contextTokens", config.contextTokens());
    others.put("fallbackModel", config.fallbackModel());
    others.put("price", config.price());
    others.forEach((name, value) -> {
      if (value != null) {
        throw invalid(
            "/provider/" + name + " is not supported by " + config.name(),
            "omit the key; configure the setting in the CLI");
      }
    });
  }

  private void requireToolEndpoint(ProviderConfig config) {
    if (config.mcp() != null && !List.of("http", "stdio").contains(config.mcp())) {
      throw invalid("/provider/mcp must be http or stdio", "omit the key for the default, http");
    }
    if (wantsStdio(config) && machine.bridge().isEmpty()) {
      throw invalid(
          "this daemon has no command to start the MCP bridge",
          "start the daemon with ./substrat up, or omit mcp: stdio");
    }
  }

  private static void requireCommand(List<String> words) {
    if (words.isEmpty() || words.size() > MAX_WORDS || words.getFirst().isBlank()) {
      throw invalid(
          "/provider/command must have 1 to " + MAX_WORDS + " words, starting with the program",
          "for example [goose], or an absolute path");
    }
    if (!new CliProgram(words).isInstalled()) {
      throw invalid(
          "program not found: " + words.getFirst(),
          "install the program, or set its absolute path: command: [/absolute/path]");
    }
  }

  private static void requireDirectory(@Nullable String directory) {
    if (directory != null
        && !(Path.of(directory).isAbsolute() && Files.isDirectory(Path.of(directory)))) {
      throw invalid(
          "/provider/directory must be the absolute path of a directory",
          "omit the key to give the agent a directory of its own");
    }
  }

  private void requireEnvironment(ProviderConfig config) {
    if (config.apiKey() != null && !FROM_ENVIRONMENT.matcher(config.apiKey()).matches()) {
      throw invalid(
          "/provider/apiKey must be a reference to an environment variable",
          "write ${env.NAME} and start the daemon with --allow-env NAME");
    }
    var filling = new PlaceholderFiller(machine.environment(), Json.object(), new UsedSecrets());
    if (config.apiKey() != null) {
      filling.text(config.apiKey());
    }
    if (config.baseUrl() != null) {
      filling.text(config.baseUrl());
    }
    Map<String, String> env = config.env() == null ? Map.of() : config.env();
    env.forEach((name, value) -> {
      if (!VARIABLE.matcher(name).matches() || name.startsWith("SUBSTRAT_") || isOurs(name)) {
        throw invalid(
            "/provider/env cannot set " + name,
            "Substrat sets this variable for the CLI's private home directory");
      }
      filling.text(value);
    });
  }

  private static boolean isOurs(String name) {
    return name.equals("HOME") || name.equals("PWD");
  }

  public static Fault invalid(String message, String hint) {
    return ErrorCode.INVALID_CONFIG.fault(message, hint);
  }
}
