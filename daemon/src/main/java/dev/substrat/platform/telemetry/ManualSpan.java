package dev.substrat.platform.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Map;
import java.util.function.Supplier;

/// Trace span that lasts until it is closed, on any thread. Work that runs [#inside] it becomes
/// part of it.
///
/// Safe for many threads.
public final class ManualSpan implements AutoCloseable {
  private final Tracer tracer;
  private final Span span;
  private final Context context;

  ManualSpan(Tracer tracer, String name, Map<String, String> attributes, Context parent) {
    this.tracer = tracer;
    var builder = tracer.spanBuilder(name).setParent(parent);
    attributes.forEach(builder::setAttribute);
    this.span = builder.startSpan();
    this.context = parent.with(span);
  }

  /// A span below this one.
  public ManualSpan open(String name, Map<String, String> attributes) {
    return new ManualSpan(tracer, name, attributes, context);
  }

  public <T> T inside(Supplier<T> work) {
    try (var _ = context.makeCurrent()) {
      return work.get();
    } catch (RuntimeException e) {
      span.recordException(e);
      span.setStatus(StatusCode.ERROR);
      throw e;
    }
  }

  @Override
  public void close() {
    span.end();
  }
}
