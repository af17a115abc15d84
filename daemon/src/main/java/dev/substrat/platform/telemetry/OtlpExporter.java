package dev.substrat.platform.telemetry;

import dev.substrat.protocol.ErrorCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The OpenTelemetry SDK, configured by the usual `OTEL_*` variables.
final class OtlpExporter {
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
