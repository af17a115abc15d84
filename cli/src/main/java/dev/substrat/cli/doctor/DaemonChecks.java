package dev.substrat.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonAddress;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/// The data directory and the daemon that may live in it.
final class DaemonChecks {
  private static final int PORT = 7420;
  private static final long MIB = 1024 * 1024;
  private static final String NOT_READY = "see the daemon's log, and docs/health.md";

  private final Path data;

  DaemonChecks(Path data) {
    this.data = data;
  }

  List<Callable<CheckResult>> all() {
    return List.of(
        this::directory,
        this::daemon,
        this::user,
        this::sandbox,
        this::token,
        this::port,
        this::search,
        this::names);
  }

  private CheckResult directory() throws IOException {
    Path present = data;
    while (!Files.exists(present) && present.getParent() != null) {
      present = present.getParent();
    }
    if (!Files.isDirectory(present) || !Files.isWritable(present)) {
      return CheckResult.broken(
          "data directory", present + " is not writable", "choose another with --data DIR");
    }
    long free = Files.getFileStore(present).getUsableSpace() / MIB;
    String detail =
        "%s, %d MiB free%s".formatted(data, free, present.equals(data) ? "" : ", not made yet");
    if (free < 100) {
      return CheckResult.broken(
          "data directory", detail, "make room: less than 100 MiB is too little");
    }
    return free < 1024
        ? CheckResult.warn("data directory", detail, "make room before it gets tight")
        : CheckResult.ok("data directory", detail);
  }

  private CheckResult daemon() {
    try {
      DaemonClient daemon = DaemonClient.in(data);
      JsonNode readiness = daemon.readiness();
      if (!readiness.path("reasons").isEmpty()) {
        return CheckResult.broken("daemon", "not ready: " + messages(readiness), NOT_READY);
      }
      JsonNode status = daemon.read("/api/status");
      return CheckResult.ok(
          "daemon",
          "version %s answers at %s"
              .formatted(status.path("version").asText(), status.path("url").asText()));
    } catch (Fault fault) {
      return CheckResult.warn("daemon", fault.message(), fault.hint());
    }
  }

  private static String messages(JsonNode readiness) {
    return readiness
        .path("reasons")
        .valueStream()
        .map(reason -> reason.path("message").asText())
        .collect(Collectors.joining("; "));
  }

  /// Asked before a daemon runs, it is about whoever would start one.
  private CheckResult user() throws IOException {
    boolean isRoot;
    try {
      isRoot = DaemonClient.in(data).read("/api/sandbox").path("daemonIsRoot").asBoolean();
    } catch (Fault _) {
      isRoot = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }
    return isRoot
        ? CheckResult.warn(
            "daemon user",
            "root: a mistake in the daemon endangers the whole machine",
            "run it as an ordinary user, for example: setpriv --reuid=1000 --regid=1000"
                + " --init-groups ./substrat up")
        : CheckResult.ok("daemon user", "an ordinary user");
  }

  /// The daemon has it examined from inside; without a daemon only bubblewrap itself is tried.
  private CheckResult sandbox() {
    JsonNode report;
    try {
      report = DaemonClient.in(data).read("/api/sandbox");
    } catch (Fault _) {
      return ToolChecks.sandbox();
    }
    String programs = report.has("uid") ? "programs run as uid " + report.path("uid").asText() : "";
    return switch (report.path("level").asText()) {
      case "full" ->
          CheckResult.ok(
              "sandbox",
              "full: all %d checks from inside passed%s"
                  .formatted(
                      report.path("checks").size(), programs.isEmpty() ? "" : "; " + programs));
      case "reduced" ->
          CheckResult.warn(
              "sandbox",
              "reduced: " + problems(report),
              "see docs/workspaces.md#sandbox for what each check means");
      default ->
          CheckResult.warn(
              "sandbox",
              "none: %s; %s"
                  .formatted(
                      report.path("detail").asText(),
                      report.path("required").asBoolean()
                          ? "no program of an agent starts, because sandbox is required"
                          : ToolChecks.PLAIN),
              ToolChecks.sandboxHint(report.path("detail").asText()));
    };
  }

  private static String problems(JsonNode report) {
    return report
        .path("checks")
        .valueStream()
        .filter(check -> !check.path("ok").asBoolean())
        .map(check -> check.path("name").asText() + ": " + check.path("problem").asText())
        .collect(Collectors.joining("; "));
  }

  private CheckResult token() throws IOException {
    Path file = data.resolve("operator.token");
    if (!Files.exists(file)) {
      return CheckResult.ok("operator token", "none yet; the daemon writes it");
    }
    try {
      String rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
      return rights.equals("rw-------")
          ? CheckResult.ok("operator token", "only you can read it")
          : CheckResult.broken(
              "operator token",
              "others may read or change it: " + rights,
              "close it, then make new tokens: chmod 600 " + file);
    } catch (UnsupportedOperationException _) {
      return CheckResult.warn(
          "operator token", "this file system has no permissions", "keep --data on a private disk");
    }
  }

  private CheckResult port() {
    try (var _ = new ServerSocket(PORT, 1, InetAddress.getLoopbackAddress())) {
      return CheckResult.ok("port " + PORT, "free");
    } catch (IOException _) {
      return ownsPort()
          ? CheckResult.ok("port " + PORT, "used by the daemon")
          : CheckResult.warn(
              "port " + PORT, "used by another program", "start with: ./substrat up --port 0");
    }
  }

  /// Only the daemon can tell: the model is not here.
  private CheckResult search() {
    JsonNode state;
    try {
      state = DaemonClient.in(data).read("/api/search");
    } catch (Fault _) {
      return new CheckResult(
          CheckResult.State.OPTIONAL, "search", "unknown while no daemon runs", "ask again then");
    }
    String model = state.path("model").asText();
    return switch (state.path("meaning").asText()) {
      case "ready" -> CheckResult.ok("search", "by words and by meaning, with " + model);
      case "off" ->
          CheckResult.ok("search", "by words only, as semanticSearch in the configuration says");
      case "loading" ->
          CheckResult.warn("search", model + " is still being loaded", "ask again in a moment");
      default ->
          CheckResult.warn(
              "search",
              "by words only: " + model + " does not work here",
              state.path("reason").asText());
    };
  }

  /// Such names are refused now; those that were given before are still there.
  private CheckResult names() {
    JsonNode groups;
    try {
      groups = DaemonClient.in(data).read("/api/lookalikes").path("groups");
    } catch (Fault _) {
      return new CheckResult(
          CheckResult.State.OPTIONAL, "names", "unknown while no daemon runs", "ask again then");
    }
    if (groups.isEmpty()) {
      return CheckResult.ok("names", "no two look alike");
    }
    String alike =
        groups
            .valueStream()
            .map(group ->
                group
                    .valueStream()
                    .map(DaemonChecks::identity)
                    .collect(Collectors.joining(" and ")))
            .collect(Collectors.joining("; "));
    return CheckResult.warn(
        "names",
        "these look alike: " + alike,
        "give one of each another name: ./substrat agent update HANDLE --config FILE");
  }

  /// With the numbers of the characters that make the difference: it cannot be seen.
  private static String identity(JsonNode one) {
    String name = one.path("name").asText();
    String other =
        name.codePoints()
            .filter(c -> c >= 0x80)
            .distinct()
            .mapToObj("U+%04X"::formatted)
            .collect(Collectors.joining(", "));
    return "%s \"%s\" (%s%s)"
        .formatted(
            one.path("kind").asText(),
            name,
            one.path("handle").asText(),
            other.isEmpty() ? "" : ", with " + other);
  }

  private boolean ownsPort() {
    try {
      return DaemonAddress.read(data).url().getPort() == PORT;
    } catch (Fault _) {
      return false;
    }
  }
}
