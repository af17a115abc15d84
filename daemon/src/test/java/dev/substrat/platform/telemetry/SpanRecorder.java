package dev.substrat.platform.telemetry;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Records the names of started and ended spans.
public final class SpanRecorder implements SpanProcessor {
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final List<String> ended = new CopyOnWriteArrayList<>();

  /// The caller closes it.
  public Telemetry telemetry() {
    var provider = SdkTracerProvider.builder().addSpanProcessor(this).build();
    return Telemetry.exporting(
        OpenTelemetrySdk.builder().setTracerProvider(provider).build(), provider::close, "");
  }

  public List<String> begun() {
    return List.copyOf(begun);
  }

  public List<String> ended() {
    return List.copyOf(ended);
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {
    begun.add(span.getName());
  }

  @Override
  public boolean isStartRequired() {
    return true;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    ended.add(span.getName());
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }
}
