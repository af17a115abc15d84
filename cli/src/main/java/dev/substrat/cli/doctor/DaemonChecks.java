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

/// Checks of the data directory and of the daemon that uses it.
record DaemonChecks(Path data) {
  private static final int PORT = 7420;
  private static final long MIB = 1024 * 1024;
  private static final String NOT_READY = "see the daemon's log, and docs/health.md";

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
          "data directory",
          present + " is not writable",
          "choose another directory with --data DIR");
    }
    long free = Files.getFileStore(present).getUsableSpace() / MIB;
    String detail =
        "%s, %d MiB free%s"
            .formatted(data, free, present.equals(data) ? "" : "; does not exist yet");
    if (free < 100) {
      return CheckResult.broken(
          "data directory", detail, "free disk space: the daemon needs at least 100 MiB");
    }
    return free < 1024
        ? CheckResult.warn("data directory", detail, "free disk space: less than 1 GiB is left")
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
          "version %s at %s"
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

  /// User of the daemon; without a running daemon, the current user.
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
            "root: a bug in the daemon can affect the whole machine",
            "run the daemon as an unprivileged user, for example: setpriv --reuid=1000 --regid=1000"
                + " --init-groups ./substrat up")
        : CheckResult.ok("daemon user", "unprivileged");
  }

  /// Result of the daemon's checks inside a sandbox. Without a running daemon, only bubblewrap is
  /// checked.
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
              "full: all %d checks inside the sandbox passed%s"
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
                          ? "programs of agents cannot start, because the daemon has sandbox:"
                              + " required"
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
      return CheckResult.ok("operator token", "does not exist yet; the daemon will create it");
    }
    try {
      String rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
      return rights.equals("rw-------")
          ? CheckResult.ok("operator token", "only you can read it")
          : CheckResult.broken(
              "operator token",
              "other users can read or change it: " + rights,
              "run chmod 600 " + file + ", then rotate your tokens");
    } catch (UnsupportedOperationException _) {
      return CheckResult.warn(
          "operator token",
          "this file system does not support file permissions",
          "use a data directory that other users cannot read");
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

  /// State of the search index, from the running daemon.
  private CheckResult search() {
    JsonNode state;
    try {
      state = DaemonClient.in(data).read("/api/search");
    } catch (Fault _) {
      return new CheckResult(
          CheckResult.CheckState.OPTIONAL,
          "search",
          "unknown: no daemon is running",
          "start the daemon");
    }
    String model = state.path("model").asText();
    return switch (state.path("meaning").asText()) {
      case "ready" -> CheckResult.ok("search", "full text and semantic, with " + model);
      case "off" -> CheckResult.ok("search", "full text only: semanticSearch is off");
      case "loading" -> CheckResult.warn("search", model + " is loading", "try again in a minute");
      default ->
          CheckResult.warn(
              "search",
              "full text only: " + model + " failed to load",
              state.path("reason").asText());
    };
  }

  /// Names that look alike. New ones are rejected; older versions accepted them.
  private CheckResult names() {
    JsonNode groups;
    try {
      groups = DaemonClient.in(data).read("/api/lookalikes").path("groups");
    } catch (Fault _) {
      return new CheckResult(
          CheckResult.CheckState.OPTIONAL,
          "names",
          "unknown: no daemon is running",
          "start the daemon");
    }
    if (groups.isEmpty()) {
      return CheckResult.ok("names", "no look-alikes");
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
        "names that look alike: " + alike,
        "rename one agent of each pair: ./substrat agent update HANDLE --config FILE");
  }

  /// Name with the code points of its non-ASCII characters, since the difference is not visible.
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
