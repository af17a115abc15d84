package dev.substrat.platform.telemetry;

import dev.substrat.protocol.ErrorCode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Metrics and trace spans of the daemon. Metrics are always counted; spans are created only if a
/// collector is configured.
///
/// Safe for many threads.
public final class Telemetry implements AutoCloseable {
  private final PrometheusMeterRegistry metrics =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics garbage = new JvmGcMetrics();
  private final Tracer tracer;
  private final Runnable flush;
  private final String traceUrl;
  private final boolean isExporting;

  private Telemetry(OpenTelemetry traces, Runnable flush, String traceUrl) {
    this.tracer = traces.getTracer("dev.substrat");
    this.flush = flush;
    this.traceUrl = traceUrl;
    this.isExporting = !traces.equals(OpenTelemetry.noop());
    new JvmMemoryMetrics().bindTo(metrics);
    garbage.bindTo(metrics);
    new UptimeMetrics().bindTo(metrics);
  }

  /// Metrics only.
  public static Telemetry withoutExport() {
    return new Telemetry(OpenTelemetry.noop(), () -> {}, "");
  }

  /// Spans as well, if the environment names an OTLP endpoint. The SDK is loaded only then: it
  /// costs half a second of start-up.
  public static Telemetry from(Map<String, String> environment) {
    return OtlpExporter.isConfigured(environment)
        ? OtlpExporter.start(environment)
        : withoutExport();
  }

  /// `traceUrl` is the URL of a trace viewer, with `{run}` as placeholder; or empty.
  static Telemetry exporting(OpenTelemetry traces, Runnable flush, String traceUrl) {
    return new Telemetry(traces, flush, traceUrl);
  }

  /// URL of a run's trace, if spans are exported and a trace URL is configured.
  public Optional<String> traceUrl(String run) {
    return traceUrl.isEmpty() ? Optional.empty() : Optional.of(traceUrl.replace("{run}", run));
  }

  /// Runs `work` inside a span that starts a new trace or continues the current one.
  public <T> T inSpan(
      String name, SpanKind kind, Map<String, String> attributes, Supplier<T> work) {
    if (!isExporting()) {
      return work.get();
    }
    var builder = tracer.spanBuilder(name).setSpanKind(kind);
    attributes.forEach(builder::setAttribute);
    Span span = builder.startSpan();
    try (var _ = span.makeCurrent()) {
      return work.get();
    } catch (RuntimeException e) {
      span.recordException(e);
      span.setStatus(StatusCode.ERROR);
      throw e;
    } finally {
      span.end();
    }
  }

  /// Begins a span that lasts until it is closed.
  public ManualSpan open(String name, Map<String, String> attributes) {
    return new ManualSpan(tracer, name, attributes, Context.current());
  }

  public void count(String name, String... tags) {
    add(name, 1, tags);
  }

  public void add(String name, int amount, String... tags) {
    metrics.counter(name, tags).increment(amount);
  }

  public void time(String name, Duration took, String... tags) {
    metrics.timer(name, tags).record(took);
  }

  /// Gauge whose value is read with every scrape: `value` must not wait, and not for the database
  /// in particular. `tags` are alternating names and values.
  public void gauge(String name, Supplier<Number> value, String... tags) {
    Gauge.builder(name, value).tags(tags).register(metrics);
  }

  /// Everything counted so far, in Prometheus' text format.
  public String scrape() {
    return metrics.scrape();
  }

  public boolean isExporting() {
    return isExporting;
  }

  @Override
  public void close() {
    garbage.close();
    metrics.close();
    flush.run();
  }

  /// The OpenTelemetry SDK, configured by the usual `OTEL_*` variables.
  private static final class OtlpExporter {
    /// Long enough for a nearby collector, short enough not to delay shutdown if it is unreachable.
    private static final long FLUSH_SECONDS = 3;

    private OtlpExporter() {}

    static boolean isConfigured(Map<String, String> environment) {
      return environment.containsKey("OTEL_EXPORTER_OTLP_ENDPOINT")
          || environment.containsKey("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
    }

    static Telemetry start(Map<String, String> environment) {
      String traceUrl = traceUrl(environment);
      OpenTelemetrySdk sdk =
          AutoConfiguredOpenTelemetrySdk.builder()
              .addPropertiesSupplier(() -> properties(environment))
              .disableShutdownHook()
              .build()
              .getOpenTelemetrySdk();
      return Telemetry.exporting(
          sdk, () -> sdk.shutdown().join(FLUSH_SECONDS, TimeUnit.SECONDS), traceUrl);
    }

    /// People follow it from a page: nothing but an address of the web.
    private static String traceUrl(Map<String, String> environment) {
      String url = environment.getOrDefault("SUBSTRAT_TRACE_URL", "");
      if (!url.isEmpty() && !url.matches("https?://.*")) {
        throw ErrorCode.INVALID_CONFIG.fault(
            "SUBSTRAT_TRACE_URL must begin with http:// or https://",
            "for example http://127.0.0.1:16686/search?service=substrat&tags=…{run}…");
      }
      return url;
    }

    /// Our defaults, overridden by the environment, in the SDK's spelling.
    private static Map<String, String> properties(Map<String, String> environment) {
      var properties = new HashMap<String, String>();
      properties.put("otel.service.name", "substrat");
      properties.put("otel.exporter.otlp.protocol", "http/protobuf");
      // Metrics are scraped and logs go to stderr.
      properties.put("otel.metrics.exporter", "none");
      properties.put("otel.logs.exporter", "none");
      environment.forEach((name, value) -> {
        if (name.startsWith("OTEL_")) {
          properties.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
        }
      });
      return properties;
    }
  }
}
