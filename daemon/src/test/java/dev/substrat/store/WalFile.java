package dev.substrat.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reader of SQLite's write-ahead log file: shows what really reached the disk.
final class WalFile {
  private static final int HEADER = 32;
  private static final int FRAME_HEADER = 24;

  private WalFile() {}

  /// How many commits the log holds: each ends with a frame that names the database's size.
  static int commits(Path database) throws IOException {
    var wal = ByteBuffer.wrap(Files.readAllBytes(Path.of(database + "-wal")));
    int page = wal.getInt(8);
    long salt = wal.getLong(16);
    int commits = 0;
    for (int frame = HEADER;
        frame + FRAME_HEADER + page <= wal.limit();
        frame += FRAME_HEADER + page) {
      if (wal.getLong(frame + 8) == salt && wal.getInt(frame + 4) != 0) {
        commits++;
      }
    }
    return commits;
  }
}
