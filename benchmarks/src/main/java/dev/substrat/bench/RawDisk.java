package dev.substrat.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// What the disk can do by itself: a file that grows by one page, as SQLite's log does by a small
/// commit, each page safe before the next.
public final class RawDisk implements AutoCloseable {
  private static final int PAGE = 4096;

  private final FileChannel file;

  public RawDisk(Path folder) throws IOException {
    this.file =
        FileChannel.open(
            folder.resolve("raw.log"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  public void append() throws IOException {
    file.write(ByteBuffer.allocate(PAGE));
    file.force(false);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
