package dev.substrat.toolset.workspace;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.substrat.protocol.ByteSizeFormatter;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.toolset.workspace.ConfinedDirectory.MissingDirectoryPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operations on text files in a confined directory: read, write, edit, search.
record ConfinedFiles(ConfinedDirectory directory) {

  static final int MAX_SIZE = 10 << 20;
  static final int MAX_WRITE_SIZE = 1 << 20;
  static final int MAX_LINES = 2_000;
  static final int MAX_CHARACTERS = 50_000;

  /// Value of `expected_hash` for a file that must not exist yet.
  static final String NO_FILE = "none";

  /// Lines of a file. `hash` is the hash of the whole file; `text` is empty if the file is binary.
  record FileExcerpt(
      String path,
      long size,
      String hash,
      boolean binary,
      String text,
      long offset,
      int lines,
      @JsonProperty("total_lines") int totalLines,
      boolean truncated) {}

  /// A file after it was written.
  record WriteResult(String path, long size, String hash, boolean created) {}

  /// A file after an edit, with the number of replacements.
  record EditResult(String path, long size, String hash, int replaced) {}

  /// Reads from line `offset` on, counted from 1.
  FileExcerpt read(SafePath path, int offset, int limit) {
    byte[] bytes = bytes(path);
    var text = FileContents.text(bytes);
    String hash = FileContents.hash(bytes);
    if (text.isEmpty()) {
      return new FileExcerpt(path.toString(), bytes.length, hash, true, "", 1, 0, 0, false);
    }
    List<String> all = lines(text.get());
    int from = Math.min(offset - 1, all.size());
    var shown = new StringBuilder();
    int next = from;
    while (next < all.size()
        && next - from < Math.min(limit, MAX_LINES)
        && shown.length() + all.get(next).length() <= MAX_CHARACTERS) {
      shown.append(all.get(next++));
    }
    if (next == from && next < all.size()) {
      // A single line is longer than the limit.
      shown.append(all.get(next++), 0, MAX_CHARACTERS);
    }
    boolean isCut = next < all.size() || shown.length() == MAX_CHARACTERS;
    return new FileExcerpt(
        path.toString(),
        bytes.length,
        hash,
        false,
        shown.toString(),
        from + 1L,
        next - from,
        all.size(),
        isCut);
  }

  /// Lines with their line ends.
  private static List<String> lines(String text) {
    return Arrays.stream(text.split("(?<=\n)")).filter(line -> !line.isEmpty()).toList();
  }

  private byte[] bytes(SafePath path) {
    requireName(path);
    try {
      return directory.at(
          path,
          MissingDirectoryPolicy.REFUSED,
          (folder, name, found) -> {
            FileContents.requireFile(path, found);
            return FileContents.read(folder, name, MAX_SIZE);
          });
    } catch (IOException e) {
      throw FileErrorMessages.fault(path, e);
    }
  }

  /// `expected` is the hash of the file to overwrite, if it must not have changed.
  WriteResult write(SafePath path, String text, @Nullable String expected) {
    requireName(path);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_WRITE_SIZE) {
      throw ErrorCode.TOO_LARGE.fault(
          "/text has more than " + ByteSizeFormatter.words(MAX_WRITE_SIZE),
          "split the text into several files");
    }
    try {
      boolean isNew =
          directory.at(
              path,
              MissingDirectoryPolicy.MADE,
              (folder, name, found) -> {
                FileContents.requireFile(path, found);
                if (expected != null) {
                  String now =
                      found.isEmpty()
                          ? NO_FILE
                          : FileContents.hash(FileContents.read(folder, name, MAX_SIZE));
                  requireExpected(path, expected, now);
                }
                FileContents.write(folder, name, bytes);
                return found.isEmpty();
              });
      return new WriteResult(path.toString(), bytes.length, FileContents.hash(bytes), isNew);
    } catch (IOException e) {
      throw FileErrorMessages.fault(path, e);
    }
  }

  private static void requireExpected(SafePath path, String expected, String now) {
    if (!expected.equals(now)) {
      throw ErrorCode.CONFLICT.fault(
          now.equals(NO_FILE)
              ? path + " no longer exists"
              : path + " has changed: its hash is " + now,
          "read the file again, then decide");
    }
  }

  /// Replaces `old`, which must occur once, or every occurrence.
  EditResult edit(SafePath path, String old, String fresh, boolean everywhere) {
    byte[] bytes = bytes(path);
    String text =
        FileContents.text(bytes)
            .orElseThrow(() ->
                ErrorCode.INVALID_ARGUMENTS.fault(
                    path + " is a binary file", "only text files can be edited"));
    int found = count(text, old);
    if (found == 0 || (found > 1 && !everywhere)) {
      throw ErrorCode.CONFLICT.fault(
          "/old occurs %d times in %s".formatted(found, path),
          found == 0
              ? "read the file again; whitespace and line ends must match exactly"
              : "include more surrounding lines, or set `all` to true");
    }
    WriteResult written = write(path, text.replace(old, fresh), FileContents.hash(bytes));
    return new EditResult(written.path(), written.size(), written.hash(), found);
  }

  private static int count(String text, String part) {
    if (part.isEmpty()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault("/old is empty", "give the text to replace");
    }
    int count = 0;
    for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
      count++;
    }
    return count;
  }

  private static void requireName(SafePath path) {
    if (path.isRoot()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/path is not a file", "for example \"notes/today.md\"");
    }
  }
}
