package dev.substrat.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Baseline of the disk: appends one page to a file, as a small SQLite commit does, with an fsync
/// after each.
public final class DiskBaseline implements AutoCloseable {
  private static final int PAGE = 4096;

  private final FileChannel file;

  public DiskBaseline(Path folder) throws IOException {
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
