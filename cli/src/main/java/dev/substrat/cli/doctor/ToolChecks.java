package dev.substrat.cli.doctor;

import static dev.substrat.cli.doctor.CheckResult.State.MISSING;
import static dev.substrat.cli.doctor.CheckResult.State.OPTIONAL;

import dev.substrat.cli.doctor.CheckResult.State;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/// Checks of programs that Substrat uses: JDK, Maven, git, browser, bubblewrap, agent CLIs.
final class ToolChecks {

  /// Consequence of a missing sandbox.
  static final String PLAIN =
      "agent CLIs and MCP servers run with the daemon's permissions, and run_command is rejected";

  private static final String OR_REQUIRE =
      "; to reject programs without a sandbox, set sandbox: required";

  private static final String TO_INSTALL = "install bubblewrap and util-linux";

  private static final String TO_ALLOW =
      "allow unprivileged user namespaces: sysctl -w user.max_user_namespaces=10000, on Debian"
          + " kernel.unprivileged_userns_clone=1, on Ubuntu"
          + " kernel.apparmor_restrict_unprivileged_userns=0; a container needs a seccomp profile"
          + " that allows them";

  private ToolChecks() {}

  static List<Callable<CheckResult>> all() {
    return List.of(
        ToolChecks::jdk,
        () -> program("maven", MISSING, "install Maven 3.8.7 or newer to build Substrat", "mvn"),
        () -> program("git", MISSING, "install git for workspaces with mode worktree", "git"),
        () ->
            program(
                "browser",
                OPTIONAL,
                "install chromium to run the browser tests",
                "chromium",
                "chromium-browser",
                "google-chrome"));
  }

  /// Agent CLIs on the PATH of this command; used if no daemon is running.
  static List<Callable<CheckResult>> agents() {
    return Stream.of(
            "claude", "codex", "copilot", "cursor-agent", "gemini", "goose", "opencode", "qwen")
        .<Callable<CheckResult>>map(name -> () -> agent(name))
        .toList();
  }

  private static CheckResult jdk() {
    String detail =
        "%s (%s)"
            .formatted(Runtime.version(), System.getProperty("java.home", "unknown directory"));
    return Runtime.version().feature() == 25
        ? CheckResult.ok("jdk", detail)
        : CheckResult.broken("jdk", detail, "Substrat needs JDK 25: set JAVA_HOME");
  }

  private static CheckResult program(String name, State absent, String hint, String... files) {
    var program = InstalledProgram.find(files);
    if (program.isEmpty()) {
      return new CheckResult(absent, name, "not installed", hint);
    }
    String file = program.get().file().toString();
    return program
        .get()
        .firstLine("--version")
        .map(version -> CheckResult.ok(name, version.isEmpty() ? file : version))
        .orElseGet(() ->
            CheckResult.warn(
                name,
                file + " --version did not answer within 3 s",
                "run it yourself: " + file + " --version"));
  }

  private static CheckResult agent(String command) {
    return program(command, OPTIONAL, "install it to use it as a provider", command);
  }

  /// Hint for the reason why there is no sandbox.
  static String sandboxHint(String reason) {
    return (reason.contains("not installed") ? TO_INSTALL : TO_ALLOW) + OR_REQUIRE;
  }

  /// Tries a sandbox: many machines forbid the namespaces that bubblewrap needs.
  static CheckResult sandbox() {
    var program = InstalledProgram.find("bwrap");
    if (program.isEmpty()) {
      return new CheckResult(
          MISSING,
          "sandbox",
          "none: bubblewrap is not installed; " + PLAIN,
          sandboxHint("not installed"));
    }
    boolean works =
        program
            .get()
            .firstLine("--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true")
            .isPresent();
    return works
        ? CheckResult.ok(
            "sandbox",
            program.get().firstLine("--version").orElse("bubblewrap")
                + " works; a running daemon also runs checks inside the sandbox")
        : CheckResult.warn(
            "sandbox",
            "none: bubblewrap is installed but cannot create namespaces; " + PLAIN,
            sandboxHint("no namespaces"));
  }
}
