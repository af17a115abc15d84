package dev.substrat.testkit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Third-party programs from the npm registry. Each set of packages is fetched once, into the
/// user's cache (`SUBSTRAT_NPM` names another place), and used by every checkout.
public final class NpmPrograms {
  /// The Node on this machine may be too old for the packages.
  public static final String NODE = "node-" + system() + "-" + processor() + "@22";

  private static final String DONE = "installed";

  private final Path directory;

  private NpmPrograms(Path directory) {
    this.directory = directory;
  }

  /// These packages (`name@version`), from the cache or the registry. If they cannot be had, the
  /// test is skipped, or fails in CI; see [Prerequisite].
  public static NpmPrograms require(String... packages) throws IOException, InterruptedException {
    Path directory =
        place().resolve(String.join("+", packages).replaceAll("[^a-zA-Z0-9.@+-]+", "_"));
    Files.createDirectories(directory);
    // Tests run in several processes, and two of them may want the same.
    try (var file = FileChannel.open(directory.resolve("lock"), CREATE, WRITE);
        FileLock _ = file.lock()) {
      if (!Files.exists(directory.resolve(DONE))) {
        Optional<String> problem = install(directory, packages);
        Prerequisite.require(
            problem.isEmpty(), "cannot install from npm: " + problem.orElse("no problem"));
        Files.createFile(directory.resolve(DONE));
      }
    }
    return new NpmPrograms(directory);
  }

  private static Path place() {
    String chosen = System.getenv("SUBSTRAT_NPM");
    return chosen == null
        ? Path.of(System.getProperty("user.home"), ".cache", "substrat", "npm")
        : Path.of(chosen).toAbsolutePath();
  }

  /// The reason why npm cannot be used, if there is one.
  private static Optional<String> install(Path directory, String... packages)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.addAll(List.of("npm", "install", "--prefix", directory.toString(), "--no-audit"));
    command.addAll(List.of("--no-fund", "--no-package-lock", "--loglevel=error"));
    command.addAll(List.of(packages));
    Path log = directory.resolve("install.log");
    try {
      int exit =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start()
              .waitFor();
      return exit == 0 ? Optional.empty() : Optional.of(Files.readString(log));
    } catch (IOException e) {
      return Optional.of("npm cannot be started: " + e.getMessage());
    }
  }

  /// One of the installed programs.
  public Path program(String name) {
    return directory.resolve("node_modules").resolve(".bin").resolve(name);
  }

  /// A file of an installed package.
  public Path file(String name) {
    return directory.resolve("node_modules").resolve(name);
  }

  /// How one is started by the Node that was fetched with it.
  public List<String> command(String program, String... arguments) {
    var command = new ArrayList<String>();
    command.add(program("node").toString());
    command.add(program(program).toString());
    command.addAll(List.of(arguments));
    return command;
  }

  private static String system() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac")
        ? "darwin"
        : "linux";
  }

  private static String processor() {
    return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
  }
}
