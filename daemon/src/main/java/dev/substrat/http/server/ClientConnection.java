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

/// The connection under a request, which Helidon keeps to itself and we need for three things: it
/// waits for request lines and headers as long as the client likes, it gathers a chunk of a body in
/// memory before it gives away the first byte, whatever the chunk's size, and it never throws a
/// body away unparsed.
///
/// One thread serves a connection from its first to its last byte, so what belongs to the
/// connection is kept with the thread and goes with it.
final class ClientConnection implements Http1ConnectionListener {
  private static final int LONGEST_SIZE_LINE = 256;
  private static final ThreadLocal<@Nullable RequestHeadTimeout> CURRENT = new ThreadLocal<>();

  private final SocketTimeouts deadlines;
  private final Duration patience;

  /// `patience` is for the head of a request.
  ClientConnection(SocketTimeouts deadlines, Duration patience) {
    this.deadlines = deadlines;
    this.patience = patience;
  }

  /// The connection as Helidon is to see it.
  RequestHeadTimeout timed(ConnectionContext connection) {
    return new RequestHeadTimeout(connection, deadlines, patience);
  }

  /// Some of the head may have come together with the request before.
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

  /// The current request is over; what comes next on its connection is the head of another one.
  void answered() {
    RequestHeadTimeout connection = CURRENT.get();
    if (connection != null) {
      connection.requestEnds();
    }
  }

  /// The chunks of the current request's body, up to the last and empty one, which stays: it tells
  /// Helidon that the body is over.
  byte[] chunks(int most, RequestBodyMemory.Share memory) {
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
          // How large it will be, nobody knows.
          memory.take(most);
        }
      }
      if (!reader.readLine().isEmpty()) {
        throw malformed("a chunk is longer than it says");
      }
    }
    return body.toByteArray();
  }

  private static long nextSize(DataReader reader) {
    int end = reader.findNewLine(LONGEST_SIZE_LINE);
    if (end == LONGEST_SIZE_LINE) {
      throw malformed("a chunk does not say its size");
    }
    String line = reader.getBuffer(end).readString(end, StandardCharsets.US_ASCII);
    String size = line.split(";", 2)[0].strip();
    try {
      return Long.parseLong(size, 16);
    } catch (NumberFormatException e) {
      throw malformed("a chunk says its size is \"" + size + "\"");
    }
  }

  /// Throws away what the client still sends, until it stops or the thread is interrupted. A
  /// connection that is closed with unread bytes is reset, and the client may never see our answer.
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
    return new Fault(
        ErrorCode.MALFORMED_REQUEST, "the body is broken: " + what, "see RFC 9112, section 7.1");
  }
}
