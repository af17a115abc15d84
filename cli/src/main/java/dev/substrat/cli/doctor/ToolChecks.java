package dev.substrat.cli.doctor;

import static dev.substrat.cli.doctor.CheckResult.CheckState.MISSING;
import static dev.substrat.cli.doctor.CheckResult.CheckState.OPTIONAL;

import dev.substrat.cli.doctor.CheckResult.CheckState;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  private static CheckResult program(String name, CheckState absent, String hint, String... files) {
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
                "run this command yourself: " + file + " --version"));
  }

  private static CheckResult agent(String command) {
    return program(command, OPTIONAL, "install the program to use it as a provider", command);
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

  /// A program on the PATH.
  record InstalledProgram(Path file) {
    /// Some agent CLIs check for updates first; after this time the version is unknown.
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    static Optional<InstalledProgram> find(String... names) {
      String path = System.getenv().getOrDefault("PATH", "");
      return Stream.of(names)
          .flatMap(name ->
              Stream.of(path.split(File.pathSeparator))
                  .filter(folder -> !folder.isEmpty())
                  .map(folder -> Path.of(folder, name)))
          .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
          .findFirst()
          .map(InstalledProgram::new);
    }

    /// The first line that the program prints on stdout, or empty if it fails or does not answer in
    /// time.
    Optional<String> firstLine(String... arguments) {
      var command = Stream.concat(Stream.of(file.toString()), Stream.of(arguments)).toList();
      Path output = null;
      try {
        output = Files.createTempFile("substrat-doctor", ".txt");
        Process process =
            new ProcessBuilder(command)
                // stderr is ignored: wrapper scripts print unrelated warnings there.
                .redirectError(Redirect.DISCARD)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile())
                .start();
        boolean worked = ended(process) && process.exitValue() == 0;
        return worked ? Optional.of(first(output)) : Optional.empty();
      } catch (IOException _) {
        return Optional.empty();
      } finally {
        delete(output);
      }
    }

    private static boolean ended(Process process) {
      try {
        if (process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
          return true;
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      return false;
    }

    private static String first(Path output) throws IOException {
      String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
      // Maven prints colour codes even to a file.
      return text.replaceAll("\u001b\\[[0-9;]*m", "")
          .lines()
          .filter(line -> !line.isBlank())
          .findFirst()
          .orElse("")
          .strip();
    }

    private static void delete(@Nullable Path file) {
      if (file != null) {
        try {
          Files.deleteIfExists(file);
        } catch (IOException _) {
          // The system cleans its temporary directory.
        }
      }
    }
  }
}
