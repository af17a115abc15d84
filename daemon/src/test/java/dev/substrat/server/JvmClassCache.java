package dev.substrat.server;

import java.io.File;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/// Halves the start time of a JVM that is started a thousand times: a first run, stopped
/// gracefully, writes a class data archive. The JVM archives only classes from jars, so our own
/// classes are packed into one.
final class JvmClassCache {
  private final Path cache;
  private final String classPath;

  JvmClassCache(Path directory) {
    this.cache = directory.resolve("daemon.aot");
    Path jar = directory.resolve("daemon.jar");
    var jars = new ArrayList<String>(List.of(jar.toString()));
    var arguments = new ArrayList<String>(List.of("--create", "--no-compress", "--file"));
    arguments.add(jar.toString());
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!Files.isDirectory(Path.of(entry))) {
        jars.add(entry);
      } else {
        arguments.addAll(List.of("-C", entry, "."));
      }
    }
    // Files in two directories (such as package-info) are reported; the first one is used.
    var silence = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    ToolProvider.findFirst("jar")
        .orElseThrow()
        .run(silence, silence, arguments.toArray(String[]::new));
    this.classPath = String.join(File.pathSeparator, jars);
  }

  List<String> plain() {
    return List.of("-cp", classPath);
  }

  List<String> training() {
    if (Files.exists(cache)) {
      return warm();
    }
    // Classes that cannot be archived are reported on stdout, which is the daemon's.
    return List.of("-XX:AOTCacheOutput=" + cache, "-Xlog:disable", "-cp", classPath);
  }

  /// As fast as may be; without a cache only slower.
  List<String> warm() {
    return List.of("-XX:AOTCache=" + cache, "-Xlog:disable", "-cp", classPath);
  }
}
