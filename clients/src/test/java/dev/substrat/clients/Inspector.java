package dev.substrat.clients;

import dev.substrat.testkit.NpmPrograms;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The official MCP inspector from npm.
record Inspector(NpmPrograms npm) {
  private static final String PACKAGE = "@modelcontextprotocol/inspector@2.12.0";

  static Inspector install() throws IOException, InterruptedException {
    return new Inspector(NpmPrograms.require(PACKAGE, NpmPrograms.NODE));
  }

  /// Result of one run.
  record Result(int code, String output, String errors) {}

  Result run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = npm.command("mcp-inspector", arguments.toArray(String[]::new));
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
