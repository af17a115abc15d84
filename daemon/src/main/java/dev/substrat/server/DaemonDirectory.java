package dev.substrat.server;

import dev.substrat.platform.json.Json;
import dev.substrat.platform.sandbox.SandboxUser;
import dev.substrat.platform.sandbox.SharedFileOwnership;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The data directory of one daemon: lock, database, address and operator token.
///
/// The lock belongs to the kernel, so a killed daemon leaves none behind.
final class DaemonDirectory implements AutoCloseable {
  /// A Unix socket's path must fit into the kernel's 108 bytes.
  private static final int MAX_SOCKET_PATH_LENGTH = 100;

  private final Path directory;
  private final FileChannel channel;
  private @Nullable Path far;

  private DaemonDirectory(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  static DaemonDirectory open(Path directory) {
    try {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      var channel =
          FileChannel.open(
              directory.resolve("daemon.lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      if (lock(channel) == null) {
        channel.close();
        throw alreadyRunning(directory);
      }
      return new DaemonDirectory(directory, channel);
    } catch (IOException e) {
      throw ErrorCode.DATABASE_READ_ONLY.fault(
          "cannot write to the data directory " + directory,
          "check the directory's owner, permissions and disk space, or use another directory with"
              + " --data",
          e);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static Fault alreadyRunning(Path directory) {
    return ErrorCode.ALREADY_RUNNING.fault(
        "another daemon uses " + directory,
        "stop that daemon with `./substrat stop --data " + directory + "`, or use another --data");
  }

  /// The database file, readable by its owner only.
  Path database() throws IOException {
    Path file = directory.resolve("substrat.db");
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    return file;
  }

  /// Path of the Unix socket: in the data directory, or in the temporary directory if the path is
  /// too long.
  Path socket() throws IOException {
    Path near = directory.resolve("daemon.sock");
    if (near.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_SOCKET_PATH_LENGTH) {
      return near;
    }
    Path other = Files.createTempDirectory("substrat-");
    far = other;
    return other.resolve("daemon.sock");
  }

  /// The daemon's id, the same after every restart. While the lock is held, no earlier process with
  /// this id is alive.
  String daemonId() throws IOException {
    Path file = directory.resolve("daemon.id");
    if (!Files.exists(file)) {
      write("daemon.id", UUID.randomUUID() + "\n");
    }
    return Files.readString(file).strip();
  }

  Optional<String> operatorToken() throws IOException {
    Path file = directory.resolve("operator.token");
    return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
  }

  void writeOperatorToken(String token) throws IOException {
    write("operator.token", token + "\n");
  }

  /// Agent CLIs read the file, too.
  void announce(DaemonFileContent announcement, SandboxUser user) throws IOException {
    write("daemon.json", Json.text(announcement) + "\n");
    SharedFileOwnership.share(directory.resolve("daemon.json"), user, "rw-r-----");
  }

  /// Contents of `daemon.json`, for the command line and the bridge.
  record DaemonFileContent(String url, String socket, long pid, String version) {}

  /// Written atomically, and never readable by other users.
  private void write(String name, String content) throws IOException {
    Path fresh =
        Files.createTempFile(
            directory,
            name,
            ".tmp",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, content);
    Files.move(fresh, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() {
    try (channel) {
      Files.deleteIfExists(directory.resolve("daemon.json"));
      if (far != null) {
        Files.deleteIfExists(far);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
