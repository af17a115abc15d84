package dev.substrat.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.fault.Fault;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;
import dev.substrat.json.Yaml;
import dev.substrat.protocol.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a configuration file may say; any other key is an error, because a misspelt setting that is
/// silently ignored costs an evening.
record SettingsFile(
    @Nullable String host,
    @Nullable Integer port,
    @Nullable String db,
    @Nullable Integer slots,
    @Nullable String log,
    @Nullable List<String> hosts,
    @Nullable Integer slotsPerTeam,
    @Nullable Map<String, Integer> slotsPerProvider,
    @Nullable Integer leaseSeconds,
    @Nullable Spaces spaces,
    @Nullable Boolean semanticSearch,
    @Nullable List<String> allowHosts,
    @Nullable List<String> allowEnv,
    @Nullable String publicUrl) {

  private static final SettingsFile EMPTY =
      new SettingsFile(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null);

  /// What agents may do among themselves in spaces; what is missing is as it always is.
  record Spaces(
      @Nullable Integer maxChainDepth,
      @Nullable Integer messagesPerMinute,
      @Nullable Integer cooldownMillis,
      @Nullable Integer roundPatienceSeconds) {

    SpaceGuards guards() {
      SpaceGuards usual = SpaceGuards.DEFAULT;
      return new SpaceGuards(
          maxChainDepth == null ? usual.maxChainDepth() : maxChainDepth,
          messagesPerMinute == null ? usual.messagesPerMinute() : messagesPerMinute,
          cooldownMillis == null ? usual.cooldown() : Duration.ofMillis(cooldownMillis),
          roundPatienceSeconds == null
              ? usual.patience()
              : Duration.ofSeconds(roundPatienceSeconds));
    }
  }

  static SettingsFile readIfThere(Path file) {
    return Files.exists(file) ? read(file) : EMPTY;
  }

  static SettingsFile read(Path file) {
    JsonNode tree = Yaml.read(file);
    if (tree.isMissingNode() || tree.isNull()) {
      return EMPTY;
    }
    try {
      Schema.ofRecord(SettingsFile.class).require(tree);
      return Json.as(tree, SettingsFile.class);
    } catch (Fault fault) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG,
          file + ": " + fault.message(),
          "the keys are host, port, db, slots, slotsPerTeam, slotsPerProvider, log, hosts,"
              + " leaseSeconds, spaces, semanticSearch, allowHosts, allowEnv,"
              + " publicUrl",
          fault);
    }
  }
}
