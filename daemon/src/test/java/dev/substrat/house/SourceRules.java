package dev.substrat.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Checks source files: sizes, names, package comments. Each violation is one line.
final class SourceRules {
  /// A guide, not a limit: a longer file is listed with its reason in [SizeExceptions].
  private static final int USUAL_LINES = 400;

  private static final int MOST_FILES = 25;

  private static final List<String> VAGUE =
      List.of("Impl", "Util", "Utils", "Helper", "Manager", "Processor");

  /// `ShutdownSafeLogManager` is a `java.util.logging.LogManager`: the name is the JDK's.
  private static final List<String> EXCUSED = List.of("ShutdownSafeLogManager");

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

  /// Packages with more than 25 files.
  static List<String> crowdedPackages(Path sources) {
    var sizes = new TreeMap<Path, Integer>();
    for (Path file : javaFiles(sources)) {
      if (!file.endsWith("package-info.java")) {
        sizes.merge(file.getParent(), 1, Integer::sum);
      }
    }
    return sizes.entrySet().stream()
        .filter(size -> size.getValue() > MOST_FILES)
        .map(size -> size.getKey() + " has " + size.getValue() + " files")
        .toList();
  }

  /// Names of top-level types that occur more than once.
  static List<String> repeatedNames(List<Path> files) {
    var seen = new HashSet<String>();
    return files.stream()
        .map(file -> file.getFileName().toString())
        .filter(name -> !name.equals("package-info.java") && !seen.add(name))
        .toList();
  }

  /// The contents of all files in `directory`.
  static List<String> texts(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().map(SourceRules::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
