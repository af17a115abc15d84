package dev.substrat.platform.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.sandbox.ResourceLimits;
import dev.substrat.platform.sandbox.SandboxSettings;
import dev.substrat.platform.sandbox.SandboxUser;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Contents of the configuration file. An unknown key is an error, because a misspelt key would be
/// ignored silently.
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
    @Nullable SpaceLimitSettings spaces,
    @Nullable Boolean semanticSearch,
    @Nullable List<String> allowHosts,
    @Nullable List<String> allowEnv,
    @Nullable String publicUrl,
    @Nullable TlsSettings tls,
    @Nullable String remoteTools,
    @Nullable String sandbox,
    @Nullable SandboxLimits sandboxLimits,
    @Nullable HostUser sandboxUser,
    @Nullable String sandboxCgroup,
    @Nullable String stopGrace,
    @Nullable Pool dbPool) {

  private static final JsonSchema SCHEMA = JsonSchema.ofRecord(SettingsFile.class);

  private static final SettingsFile EMPTY = Json.as(Json.object(), SettingsFile.class);

  /// Limits of agents in spaces; missing ones have their defaults.
  record SpaceLimitSettings(
      @Nullable Integer maxChainDepth,
      @Nullable Integer messagesPerMinute,
      @Nullable Integer cooldownMillis,
      @Nullable Integer roundPatienceSeconds) {

    SpaceGuardLimits guards() {
      SpaceGuardLimits usual = SpaceGuardLimits.DEFAULT;
      return new SpaceGuardLimits(
          maxChainDepth == null ? usual.maxChainDepth() : maxChainDepth,
          messagesPerMinute == null ? usual.messagesPerMinute() : messagesPerMinute,
          cooldownMillis == null ? usual.cooldown() : Duration.ofMillis(cooldownMillis),
          roundPatienceSeconds == null
              ? usual.timeout()
              : Duration.ofSeconds(roundPatienceSeconds));
    }
  }

  /// Connections to a shared database; missing numbers have their defaults.
  record Pool(@Nullable Integer writers, @Nullable Integer readers) {
    ConnectionPools sizes() {
      ConnectionPools usual = ConnectionPools.DEFAULT;
      return new ConnectionPools(
          writers == null ? usual.writers() : writers, readers == null ? usual.readers() : readers);
    }
  }

  /// PEM files; a relative path starts at the directory the daemon is started in.
  record TlsSettings(String cert, String key) {}

  /// Limits of every sandbox; missing ones have their defaults.
  record SandboxLimits(
      @Nullable Integer memoryMb,
      @Nullable Integer processes,
      @Nullable Integer openFiles,
      @Nullable Integer fileSizeMb,
      @Nullable Integer cpuSeconds,
      @Nullable Integer totalMemoryMb,
      @Nullable Integer diskFreeMb) {

    ResourceLimits limits() {
      ResourceLimits usual = ResourceLimits.DEFAULT;
      return new ResourceLimits(
          memoryMb == null ? usual.memoryMb() : memoryMb,
          processes == null ? usual.processes() : processes,
          openFiles == null ? usual.openFiles() : openFiles,
          fileSizeMb == null ? usual.fileSizeMb() : fileSizeMb,
          cpuSeconds == null ? usual.cpuSeconds() : cpuSeconds,
          totalMemoryMb == null ? usual.totalMemoryMb() : totalMemoryMb,
          diskFreeMb == null ? usual.diskFreeMb() : diskFreeMb);
    }
  }

  /// A user of the host, by uid; default of the gid: the same number.
  record HostUser(int uid, @Nullable Integer gid) {
    SandboxUser user() {
      return new SandboxUser(uid, gid == null ? uid : gid);
    }
  }

  SandboxSettings sandboxSettings() {
    return new SandboxSettings(
        SandboxSettings.SandboxMode.parse(sandbox == null ? "auto" : sandbox),
        sandboxLimits == null ? ResourceLimits.DEFAULT : sandboxLimits.limits(),
        sandboxUser == null ? SandboxUser.DEFAULT : sandboxUser.user(),
        sandboxCgroup == null ? null : Path.of(sandboxCgroup).toAbsolutePath(),
        List.of());
  }

  static SettingsFile readIfThere(Path file) {
    return Files.exists(file) ? read(file) : EMPTY;
  }

  static SettingsFile read(Path file) {
    JsonNode tree = Yaml.read(file);
    if (tree.isMissingNode() || tree.isNull()) {
      return EMPTY;
    }
    var mistakes = new ArrayList<Problem.ProblemDetail>();
    if (tree.isObject()) {
      tree.properties().forEach(entry -> check(entry, mistakes));
    } else {
      mistakes.add(new Problem.ProblemDetail("", "must be a mapping of keys to values"));
    }
    if (!mistakes.isEmpty()) {
      throw refusal(file, mistakes);
    }
    return Json.as(tree, SettingsFile.class);
  }

  /// Checks each key separately, so that all errors of the file are reported together.
  private static void check(
      Map.Entry<String, JsonNode> entry, List<Problem.ProblemDetail> mistakes) {
    var alone = Json.object().set(entry.getKey(), entry.getValue());
    try {
      SCHEMA.require(alone);
      Json.as(alone, SettingsFile.class).requireSound();
    } catch (Fault fault) {
      List<Problem.ProblemDetail> details = fault.problem().details();
      if (details != null) {
        mistakes.addAll(details);
      } else {
        // Most messages start with the key, as they do for a flag.
        String place = "/" + entry.getKey();
        mistakes.add(
            Problem.ProblemDetail.placed("/" + fault.message())
                .filter(detail -> detail.pointer().startsWith(place))
                .orElseGet(() -> new Problem.ProblemDetail(place, fault.message())));
      }
    }
  }

  /// Rejects settings with which no daemon could start.
  private void requireSound() {
    DaemonSettings.of(DaemonSettings.CommandLineFlags.NONE, Path.of("."), this);
  }

  private static Fault refusal(Path file, List<Problem.ProblemDetail> mistakes) {
    Problem.ProblemDetail first = mistakes.getFirst();
    return ErrorCode.INVALID_CONFIG.fault(
        mistakes.size() == 1
            ? "%s: %s".formatted(file, (first.pointer() + " " + first.message()).strip())
            : "%s has %d errors%s"
                .formatted(
                    file,
                    mistakes.size(),
                    mistakes.size() > Fault.MAX_DETAILS ? ", the first 20 are listed" : ""),
        "available keys: host, port, db, slots, slotsPerTeam, slotsPerProvider, log, hosts,"
            + " leaseSeconds, spaces, semanticSearch, allowHosts, allowEnv,"
            + " publicUrl, tls, remoteTools, sandbox, sandboxLimits, sandboxUser,"
            + " sandboxCgroup, stopGrace, dbPool",
        mistakes);
  }
}
