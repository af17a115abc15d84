package dev.substrat.toolset.workspace;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.substrat.protocol.Fault;
import dev.substrat.toolset.workspace.ConfinedDirectory.MissingDirectoryPolicy;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/// Recursive listing of a confined directory, with limits on entries and time.
public final class DirectoryWalk {
  private static final int MAX_VISITED_ENTRIES = 20_000;
  private static final int DEEPEST = 64;
  private static final Duration MAX_DURATION = Duration.ofSeconds(3);
  private static final int MAX_SEARCHED_SIZE = 1 << 20;
  private static final int MAX_LINE_LENGTH = 300;

  /// Not part of an agent's work.
  private static final String GIT = ".git";

  private final ConfinedDirectory directory;
  private final long end = System.nanoTime() + MAX_DURATION.toNanos();
  private int seen;
  private boolean isCut;

  DirectoryWalk(ConfinedDirectory directory) {
    this.directory = directory;
  }

  /// An entry of a directory; directories and links have no size.
  public record DirectoryEntry(String path, String kind, long size) {}

  record DirectoryListing(List<DirectoryEntry> files, boolean truncated) {}

  /// A matching line.
  record LineMatch(String path, int line, String text) {}

  record FileSearchResult(
      List<LineMatch> matches,
      @JsonProperty("files_searched") int filesSearched,
      boolean truncated) {}

  /// Total size; `truncated` if there are too many files to count.
  public record DirectorySize(long files, long bytes, boolean truncated) {}

  /// Entries of a directory and, on request, below it, by name. The contents of .git are listed
  /// only if asked for explicitly.
  DirectoryListing list(SafePath path, boolean deep, int most) {
    var entries = new ArrayList<DirectoryEntry>();
    visit(
        path,
        (_, at, _, attributes) -> {
          if (deep && at.last().equals(GIT)) {
            return WalkDecision.SKIP;
          }
          if (entries.size() == most) {
            isCut = true;
            return WalkDecision.STOP;
          }
          entries.add(entry(at, attributes));
          return deep ? WalkDecision.CONTINUE : WalkDecision.SKIP;
        });
    return new DirectoryListing(entries, isCut);
  }

  private static DirectoryEntry entry(SafePath at, BasicFileAttributes attributes) {
    String kind =
        attributes.isDirectory()
            ? "folder"
            : attributes.isSymbolicLink() ? "link" : attributes.isRegularFile() ? "file" : "other";
    return new DirectoryEntry(at.toString(), kind, kind.equals("file") ? attributes.size() : 0);
  }

  /// Lines of text files below a directory that contain `words`.
  FileSearchResult search(SafePath path, String words, boolean ignoreCase, int most) {
    var matches = new ArrayList<LineMatch>();
    int[] files = {0};
    String wanted = ignoreCase ? words.toLowerCase(Locale.ROOT) : words;
    visit(
        path,
        (folder, at, name, attributes) -> {
          if (attributes.isDirectory()) {
            return at.last().equals(GIT) ? WalkDecision.SKIP : WalkDecision.CONTINUE;
          }
          if (attributes.isRegularFile() && attributes.size() <= MAX_SEARCHED_SIZE) {
            files[0]++;
            Optional<String> text = text(folder, name);
            text.ifPresent(all -> match(at, all, wanted, ignoreCase, matches));
          }
          boolean isFull = matches.size() > most;
          isCut |= isFull;
          return isFull ? WalkDecision.STOP : WalkDecision.CONTINUE;
        });
    return new FileSearchResult(
        List.copyOf(matches.subList(0, Math.min(most, matches.size()))), files[0], isCut);
  }

  /// A file that cannot be read is skipped.
  private static Optional<String> text(SecureDirectoryStream<Path> folder, Path name) {
    try {
      return FileContents.text(FileContents.read(folder, name, 2 * MAX_SEARCHED_SIZE));
    } catch (IOException | Fault e) {
      return Optional.empty();
    }
  }

  private static void match(
      SafePath at, String text, String wanted, boolean ignoreCase, List<LineMatch> matches) {
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      String compared = ignoreCase ? line.toLowerCase(Locale.ROOT) : line;
      if (compared.contains(wanted)) {
        String shown =
            line.length() > MAX_LINE_LENGTH ? line.substring(0, MAX_LINE_LENGTH) + "…" : line;
        matches.add(new LineMatch(at.toString(), number, shown));
      }
    }
  }

  DirectorySize size() {
    long[] sum = {0, 0};
    visit(
        SafePath.ROOT,
        (_, _, _, attributes) -> {
          if (attributes.isRegularFile()) {
            sum[0]++;
            sum[1] += attributes.size();
          }
          return WalkDecision.CONTINUE;
        });
    return new DirectorySize(sum[0], sum[1], isCut);
  }

  /// How the walk continues after an entry.
  private enum WalkDecision {
    CONTINUE,
    SKIP,
    STOP
  }

  private interface EntryVisitor {
    WalkDecision at(
        SecureDirectoryStream<Path> folder, SafePath at, Path name, BasicFileAttributes attributes)
        throws IOException;
  }

  private void visit(SafePath path, EntryVisitor sight) {
    try {
      directory.in(path, MissingDirectoryPolicy.REFUSED, folder -> visit(folder, path, sight));
    } catch (IOException e) {
      throw FileErrorMessages.fault(path, e);
    }
  }

  private WalkDecision visit(SecureDirectoryStream<Path> folder, SafePath here, EntryVisitor sight)
      throws IOException {
    var names = new TreeMap<String, Path>();
    for (Path entry : folder) {
      if (++seen > MAX_VISITED_ENTRIES || System.nanoTime() > end) {
        isCut = true;
        break;
      }
      Path name = entry.getFileName();
      names.put(name.toString(), name);
    }
    for (var one : names.entrySet()) {
      Optional<BasicFileAttributes> found = ConfinedDirectory.attributes(folder, one.getKey());
      if (found.isEmpty() || directory.withholds(found.get())) {
        continue;
      }
      if (System.nanoTime() > end) {
        isCut = true;
        return WalkDecision.STOP;
      }
      SafePath at = here.resolve(one.getKey());
      WalkDecision go = sight.at(folder, at, one.getValue(), found.get());
      if (go == WalkDecision.CONTINUE && found.get().isDirectory()) {
        go = enter(folder, at, one.getValue(), sight);
      }
      if (go == WalkDecision.STOP) {
        return go;
      }
    }
    return isCut ? WalkDecision.STOP : WalkDecision.CONTINUE;
  }

  private WalkDecision enter(
      SecureDirectoryStream<Path> folder, SafePath at, Path name, EntryVisitor sight)
      throws IOException {
    if (at.names().size() > DEEPEST) {
      isCut = true;
      return WalkDecision.STOP;
    }
    try (var inner = directory.enter(folder, name)) {
      return visit(inner, at, sight);
    } catch (FileSystemException e) {
      // Deleted, replaced or not readable meanwhile: continue with the others.
      return WalkDecision.CONTINUE;
    }
  }
}
