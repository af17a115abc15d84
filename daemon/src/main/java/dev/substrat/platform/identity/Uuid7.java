package dev.substrat.platform.identity;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;

/// UUIDs of version 7, which sort by creation time. So indexes grow at one end, and rows of one
/// daemon keep the order in which it created them.
///
/// Safe for many threads: the last timestamp, the counter and the random bits in stock are guarded
/// by the class's lock.
public final class Uuid7 {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int COUNTER_BITS = 12;

  /// Requesting many random bits from the system costs as much as requesting a few.
  private static final ByteBuffer STOCK = ByteBuffer.allocate(1024).limit(0);

  private static long lastMillis;
  private static int counter;

  private Uuid7() {}

  static String next() {
    long stamp = nextStamp();
    long high = (stamp >>> COUNTER_BITS << 16) | 0x7000L | (stamp & 0xFFF);
    long low = (nextRandom() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }

  /// The next larger id. No other id is between the two, and a random one is hardly ever equal to
  /// it.
  static String after(String id) {
    UUID one = UUID.fromString(id);
    return new UUID(one.getMostSignificantBits(), one.getLeastSignificantBits() + 1).toString();
  }

  /// When this id was created.
  public static Instant createdAt(String id) {
    return Instant.ofEpochMilli(Long.parseLong(id.substring(0, 8) + id.substring(9, 13), 16));
  }

  private static synchronized long nextRandom() {
    if (!STOCK.hasRemaining()) {
      RANDOM.nextBytes(STOCK.array());
      STOCK.clear();
    }
    return STOCK.getLong();
  }

  /// Milliseconds and a counter in one number that only grows, also when the clock steps back or
  /// the counter overflows within a millisecond.
  private static synchronized long nextStamp() {
    long millis = System.currentTimeMillis();
    if (millis > lastMillis) {
      lastMillis = millis;
      counter = 0;
    } else if (++counter >> COUNTER_BITS != 0) {
      lastMillis++;
      counter = 0;
    }
    return (lastMillis << COUNTER_BITS) | counter;
  }
}
