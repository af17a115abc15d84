package dev.substrat.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What can be seen in the sources alone: sizes, names, introductions. Each broken rule is one
/// line.
final class SourceRules {
  /// A guide, not a limit: a longer file is listed with its reason in [SizeExceptions].
  private static final int USUAL_LINES = 300;

  private static final List<String> VAGUE =
      List.of("Impl", "Util", "Utils", "Helper", "Manager", "Processor", "Data", "Info");

  /// `SteadyLogManager` is a `java.util.logging.LogManager`: the name is the JDK's.
  private static final List<String> EXCUSED = List.of("SteadyLogManager");

  private SourceRules() {}

  /// `exceptions` are the files and methods that may be longer than the guide.
  static List<String> broken(Path sources, SizeExceptions exceptions) {
    var broken = new ArrayList<String>();
    List<Path> files = javaFiles(sources);
    for (Path file : files) {
      checkLength(file, exceptions, broken);
      checkName(file, broken);
      checkIntroduction(file.resolveSibling("package-info.java"), broken);
    }
    MethodRules.check(files, exceptions, broken);
    return broken.stream().distinct().toList();
  }

  private static void checkLength(Path file, SizeExceptions exceptions, List<String> broken) {
    long lines = read(file).lines().count();
    if (lines > USUAL_LINES) {
      exceptions
          .problem(file.toString(), "has %d lines (guide: %d)".formatted(lines, USUAL_LINES))
          .ifPresent(broken::add);
    }
  }

  private static void checkName(Path file, List<String> broken) {
    String name = file.getFileName().toString().replace(".java", "");
    boolean vague = VAGUE.stream().anyMatch(name::endsWith) && !EXCUSED.contains(name);
    if (vague || name.startsWith("Abstract") || name.startsWith("Base")) {
      broken.add(file + " has a name that does not say what it is");
    }
  }

  private static void checkIntroduction(Path introduction, List<String> broken) {
    if (!Files.exists(introduction)) {
      broken.add(introduction.getParent() + " does not introduce itself: no package-info.java");
      return;
    }
    String text = read(introduction);
    if (!text.startsWith("///") || !text.contains("@NullMarked")) {
      broken.add(introduction + " needs one sentence (///) and @NullMarked");
    }
  }

  static List<Path> javaFiles(Path sources) {
    try (Stream<Path> files = Files.walk(sources)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
