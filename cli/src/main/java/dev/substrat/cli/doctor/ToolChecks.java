package dev.substrat.cli.doctor;

import java.util.List;
import java.util.concurrent.Callable;

/// Programs that Substrat can use: to build, to shut agents in, to look at pages, to think.
final class ToolChecks {

  private ToolChecks() {}

  static List<Callable<Finding>> all() {
    return List.of(
        ToolChecks::jdk,
        () -> program("maven", "needed to build: install Maven 3.8.7 or newer", "mvn"),
        () -> program("git", "agents keep their work in git: install it", "git"),
        ToolChecks::sandbox,
        () ->
            program(
                "browser",
                "needed for tools that look at pages: install chromium",
                "chromium",
                "chromium-browser",
                "google-chrome"),
        () -> agent("claude"),
        () -> agent("codex"),
        () -> agent("cursor-agent"),
        () -> agent("gemini"),
        () -> agent("goose"),
        () -> agent("opencode"));
  }

  private static Finding jdk() {
    String detail =
        "%s (%s)".formatted(Runtime.version(), System.getProperty("java.home", "unknown place"));
    return Runtime.version().feature() == 25
        ? Finding.ok("jdk", detail)
        : Finding.broken("jdk", detail, "Substrat needs JDK 25: set JAVA_HOME to one");
  }

  private static Finding program(String name, String hint, String... files) {
    var program = Program.find(files);
    if (program.isEmpty()) {
      return Finding.missing(name, hint);
    }
    return program
        .get()
        .firstLine("--version")
        .map(version -> Finding.ok(name, version))
        .orElseGet(() ->
            Finding.warn(
                name,
                program.get().file() + " does not tell its version within 3 s",
                "try it by hand: " + program.get().file() + " --version"));
  }

  private static Finding agent(String command) {
    return program(command, "only needed for agents that think with it", command);
  }

  /// Being installed is not enough: many machines forbid what it needs.
  private static Finding sandbox() {
    var program = Program.find("bwrap");
    if (program.isEmpty()) {
      return Finding.missing("sandbox", "agents run unconfined without it: install bubblewrap");
    }
    boolean works = program.get().firstLine("--ro-bind", "/", "/", "true").isPresent();
    return works
        ? Finding.ok("sandbox", program.get().firstLine("--version").orElse("bubblewrap"))
        : Finding.warn(
            "sandbox",
            "bubblewrap is installed but may not make namespaces",
            "allow unprivileged user namespaces; agents run unconfined until then");
  }
}
