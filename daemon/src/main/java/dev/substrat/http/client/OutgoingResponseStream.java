package dev.substrat.http.client;

import dev.substrat.protocol.ResponseHead;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Response whose body is read as a stream. It must be closed.
///
/// Reading fails with an [OutgoingFailure]. The request's deadline applies to reading, too, unless
/// [#untilClosed] lifts it. Any thread may close it: that closes the connection and ends a waiting
/// read.
public final class OutgoingResponseStream implements AutoCloseable {
  private final OpenResponse answer;
  private final CallDeadline deadline;
  private final ConnectionPool connections;
  private final Map<String, String> headers;
  private final InputStream body;

  OutgoingResponseStream(
      OpenResponse answer, CallDeadline deadline, ConnectionPool connections, long maxBytes) {
    this.answer = answer;
    this.deadline = deadline;
    this.connections = connections;
    this.headers = joined(answer.head());
    this.body = new BoundedBodyStream(answer.body(), maxBytes);
  }

  private static Map<String, String> joined(ResponseHead head) {
    var joined = new HashMap<String, String>();
    head.headers()
        .forEach(
            (name, values) -> joined.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
    return Map.copyOf(joined);
  }

  public int status() {
    return answer.head().status();
  }

  /// Names are in lower case; several headers of the same name are joined by commas.
  public Map<String, String> headers() {
    return headers;
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  public InputStream body() {
    return body;
  }

  /// The whole body.
  byte[] whole() {
    try {
      return body.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("unexpected I/O error from the response body", e);
    }
  }

  /// Lifts the deadline until the response is closed, for event streams of unknown length.
  public OutgoingResponseStream untilClosed() {
    deadline.lift();
    return this;
  }

  @Override
  public void close() {
    deadline.close();
  }

  /// The response is complete, so the connection can be reused.
  private void finish() {
    if (!deadline.release() || !answer.isReusable()) {
      answer.connection().close();
    } else {
      connections.keep(answer.connection());
    }
    deadline.close();
  }

  /// Limits the size of the body and translates errors.
  private final class BoundedBodyStream extends InputStream {
    private final InputStream in;
    private final long maxBytes;
    private long count;
    private boolean isOver;

    BoundedBodyStream(InputStream in, long maxBytes) {
      this.in = in;
      this.maxBytes = maxBytes;
    }

    @Override
    public int read() {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      if (isOver || length == 0) {
        return isOver ? -1 : 0;
      }
      try {
        int read = in.read(bytes, from, length);
        if (read < 0) {
          isOver = true;
          finish();
          return -1;
        }
        count += read;
        answer.requireAtMost(maxBytes, count);
        return read;
      } catch (IOException e) {
        OutgoingFailure failure = ConnectionErrors.talking(answer.target(), deadline, e);
        OutgoingResponseStream.this.close();
        throw failure;
      }
    }

    @Override
    public void close() {
      OutgoingResponseStream.this.close();
    }
  }
}
