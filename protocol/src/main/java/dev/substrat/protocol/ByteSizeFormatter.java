package dev.substrat.protocol;

/// Formats sizes: 4 MiB, 64 KiB, 1000 bytes. Nothing is rounded, because most are limits.
public final class ByteSizeFormatter {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  private ByteSizeFormatter() {}

  public static String words(long bytes) {
    if (bytes >= MIB && bytes % MIB == 0) {
      return bytes / MIB + " MiB";
    }
    return bytes >= KIB && bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " bytes";
  }
}
