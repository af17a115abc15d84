package dev.substrat.cli.edit;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/// A file of somebody else's as it was when we looked, and the way to change it.
public final class TextFile {
  private static final String MARK = "\ufeff";
  private static final byte[] NOTHING = {};

  private final Path path;
  private final boolean exists;
  private final byte[] bytes;
  private final String content;

  private TextFile(Path path, boolean exists, byte[] bytes) {
    this.path = path;
    this.exists = exists;
    this.bytes = bytes;
    this.content = decoded();
  }

  /// One that does not exist is empty.
  public static TextFile read(Path path) {
    try {
      return new TextFile(path, true, Files.readAllBytes(path));
    } catch (NoSuchFileException _) {
      return new TextFile(path, false, NOTHING);
    } catch (IOException e) {
      throw failed("cannot read " + path, e);
    }
  }

  private String decoded() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG,
          path + " is not UTF-8",
          "save it as UTF-8, or add the entry by hand: --print shows it",
          e);
    }
  }

  public Path path() {
    return path;
  }

  public boolean exists() {
    return exists;
  }

  /// Without the byte order mark that some editors put first; writing puts it back.
  public String text() {
    return content.startsWith(MARK) ? content.substring(1) : content;
  }

  /// Where the text as it was is kept before the first change.
  public Path backup() {
    return path.resolveSibling(path.getFileName() + ".substrat-backup");
  }

  /// All or nothing, and only if nobody has changed the file since it was read. The path of the
  /// backup, if this was the first change of a file that existed.
  public Optional<Path> write(String text) {
    byte[] fresh = ((content.startsWith(MARK) ? MARK : "") + text).getBytes(StandardCharsets.UTF_8);
    try {
      requireUnchanged();
      boolean keeps = exists && Files.notExists(backup());
      if (keeps) {
        new FileReplacement(path, backup()).write(bytes);
      }
      var replacement = new FileReplacement(path, path);
      replacement.write(fresh, this::requireUnchanged);
      return keeps ? Optional.of(backup()) : Optional.empty();
    } catch (IOException e) {
      throw failed("cannot write " + path, e);
    }
  }

  private void requireUnchanged() {
    TextFile now = read(path);
    if (now.exists != exists || !Arrays.equals(now.bytes, bytes)) {
      throw new Fault(
          ErrorCode.CONFLICT,
          path + " was changed by somebody else just now; nothing was written",
          "look at the difference again and repeat the command");
    }
  }

  private static Fault failed(String what, IOException e) {
    return new Fault(
        ErrorCode.FORBIDDEN,
        "%s: %s".formatted(what, e.getClass().getSimpleName().replace("Exception", "")),
        "check who owns it and its permissions, or choose the other --scope",
        e);
  }
}
