package dev.substrat.bench.mcp;

/// The repeated request and the check of its answer.
record BenchRequest(String method, String params, ResponseCheck check) {

  /// Checks the answer to the request with an id.
  interface ResponseCheck {
    boolean isRight(String body, long id);
  }

  /// Requires an answer with the request's id that contains `words`.
  static BenchRequest expecting(String method, String params, String words) {
    return new BenchRequest(
        method,
        params,
        (body, id) -> body.contains("\"id\":" + id) && body.contains(words) && !isFailure(body));
  }

  /// A call of the echo tool.
  static BenchRequest echo() {
    return calling("echo");
  }

  /// The same of a tool that says it changes nothing.
  static BenchRequest read() {
    return calling("read");
  }

  private static BenchRequest calling(String tool) {
    return expecting(
        "tools/call",
        "{\"name\":\"%s\",\"arguments\":{\"text\":\"hello\"}}".formatted(tool),
        "\"text\":\"hello\"");
  }

  /// The word `error` alone is not an error: it occurs in the schemas of a tool list.
  private static boolean isFailure(String body) {
    return body.contains("\"isError\":true") || !body.contains("\"result\":");
  }
}
