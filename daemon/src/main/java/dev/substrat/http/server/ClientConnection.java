package dev.substrat.http.server;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import io.helidon.common.buffers.DataReader;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Works around three properties of Helidon's connection: it waits for request lines and headers
/// without a time limit, it buffers a whole chunk of a body regardless of its size, and it cannot
/// discard an unparsed body.
///
/// One thread serves a connection from its first to its last byte, so its state is stored with the
/// thread.
final class ClientConnection implements Http1ConnectionListener {
  private static final int MAX_SIZE_LINE_LENGTH = 256;
  private static final ThreadLocal<@Nullable RequestHeadTimeout> CURRENT = new ThreadLocal<>();

  private final SocketTimeouts deadlines;
  private final Duration timeout;

  /// `patience` is the time limit for the head of a request.
  ClientConnection(SocketTimeouts deadlines, Duration timeout) {
    this.deadlines = deadlines;
    this.timeout = timeout;
  }

  /// The connection that Helidon uses.
  RequestHeadTimeout timed(ConnectionContext connection) {
    return new RequestHeadTimeout(connection, deadlines, timeout);
  }

  /// A part of the head may have arrived with the previous request.
  @Override
  public void prologue(ConnectionContext connection, HttpPrologue prologue) {
    ((RequestHeadTimeout) connection).headBegins();
  }

  @Override
  public void headers(ConnectionContext connection, Headers read) {
    var timed = (RequestHeadTimeout) connection;
    timed.headEnds();
    CURRENT.set(timed);
  }

  /// The current request has ended; the next bytes are the head of another one.
  void answered() {
    RequestHeadTimeout connection = CURRENT.get();
    if (connection != null) {
      connection.requestEnds();
    }
  }

  /// Reads the chunks of the current body up to the last, empty one, which is left for Helidon as
  /// the end of the body.
  byte[] chunks(int most, RequestBodyMemory.MemoryShare memory) {
    DataReader reader = reader();
    var body = new ByteArrayOutputStream();
    for (long size = nextSize(reader); size > 0; size = nextSize(reader)) {
      reader.readLine();
      for (long left = size; left > 0; ) {
        reader.ensureAvailable();
        byte[] part = reader.readBytes((int) Math.min(reader.available(), left));
        body.writeBytes(part);
        left -= part.length;
        RequestBodyReader.requireSmall(body.size(), most);
        if (body.size() > RequestBodyMemory.SMALL) {
          // The total size is unknown.
          memory.take(most);
        }
      }
      if (!reader.readLine().isEmpty()) {
        throw malformed("a chunk is longer than its declared size");
      }
    }
    return body.toByteArray();
  }

  private static long nextSize(DataReader reader) {
    int end = reader.findNewLine(MAX_SIZE_LINE_LENGTH);
    if (end == MAX_SIZE_LINE_LENGTH) {
      throw malformed("a chunk has no size");
    }
    String line = reader.getBuffer(end).readString(end, StandardCharsets.US_ASCII);
    String size = line.split(";", 2)[0].strip();
    try {
      return Long.parseLong(size, 16);
    } catch (NumberFormatException e) {
      throw malformed("a chunk has the invalid size \"" + size + "\"");
    }
  }

  /// Discards what the client still sends, until it stops or the thread is interrupted. Closing a
  /// connection with unread bytes resets it, and the client may not receive our response.
  void drain() {
    DataReader reader = reader();
    while (true) {
      reader.ensureAvailable();
      reader.skip(reader.available());
    }
  }

  private DataReader reader() {
    RequestHeadTimeout connection = CURRENT.get();
    if (connection == null) {
      throw new IllegalStateException("no request is being served");
    }
    return connection.dataReader();
  }

  private static Fault malformed(String what) {
    return ErrorCode.MALFORMED_REQUEST.fault(
        "the body is malformed: " + what, "see RFC 9112, section 7.1");
  }
}
