package dev.substrat.conformance;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Programs that come from npm, with a Node of their own, because the one on this machine may be
/// too old for them. Installed on first use, once per checkout.
public final class Npm {
  private static final String NODE = "node-" + system() + "-" + processor();

  private final Path directory;

  private Npm(Path directory) {
    this.directory = directory;
  }

  /// Without npm there is nothing to install with. That is an accident in CI and a choice
  /// elsewhere.
  public static Npm with(String... packages) throws IOException, InterruptedException {
    boolean canInstall = isThere();
    if ("true".equals(System.getenv("CI"))) {
      assertThat(canInstall).as("CI needs npm").isTrue();
    }
    assumeThat(canInstall).as("npm is installed").isTrue();
    String wanted = NODE + "@22 " + String.join(" ", packages);
    Path directory = Path.of("target", "npm", packages[0].replaceAll("[^a-z0-9.]+", "-"));
    Path installed = directory.resolve("installed");
    Files.createDirectories(directory);
    // Tests run in several processes, and two of them may want the same.
    try (var file = FileChannel.open(directory.resolve("lock"), CREATE, WRITE);
        var lock = file.lock()) {
      assertThat(lock.isValid()).isTrue();
      if (!Files.exists(installed) || !Files.readString(installed).equals(wanted)) {
        install(directory, wanted);
        Files.writeString(installed, wanted);
      }
    }
    return new Npm(directory.toAbsolutePath());
  }

  private static void install(Path directory, String wanted)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.addAll(List.of("npm", "install", "--prefix", directory.toString(), "--no-audit"));
    command.addAll(List.of("--no-fund", "--no-package-lock", "--loglevel=error"));
    command.addAll(List.of(wanted.split(" ")));
    Path log = directory.resolve("install.log");
    int exit =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    assertThat(exit).as(Files.readString(log)).isZero();
  }

  private static boolean isThere() throws InterruptedException {
    try {
      return new ProcessBuilder("npm", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /// How one of the installed programs is started.
  public List<String> command(String program, String... arguments) {
    Path modules = directory.resolve("node_modules");
    var command = new ArrayList<String>();
    command.add(modules.resolve(NODE).resolve("bin/node").toString());
    command.add(modules.resolve(".bin").resolve(program).toString());
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
