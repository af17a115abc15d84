package dev.substrat.http.server;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;

/// Translates failures to HTTP errors and log lines. Details of a bug are logged, not sent.
final class HttpErrors {
  private static final Log LOG = Log.of(HttpErrors.class);

  private HttpErrors() {}

  /// The fault for the client; the log has the details.
  static Fault toFault(Throwable failure, String what) {
    Fault fault = failure instanceof Fault known ? known : internal();
    switch (fault.code().kind()) {
      case CALLER -> LOG.debug("request rejected", "request", what, "code", fault.code());
      case LIMIT -> LOG.info("request limited", "request", what, "code", fault.code());
      case OUTSIDE ->
          LOG.warn(
              "request failed", "request", what, "code", fault.code(), "reason", fault.message());
      case BUG -> LOG.error("request failed because of a bug", failure, "request", what);
    }
    return fault;
  }

  static HttpReply reply(Fault fault) {
    return new HttpReply.JsonReply(fault.code().status(), fault.problem());
  }

  static Fault internal() {
    return ErrorCode.INTERNAL.fault("internal error in the daemon", "see the daemon's log");
  }
}
