package dev.substrat.telemetry;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The OpenTelemetry SDK, configured by the usual `OTEL_*` variables.
final class OtlpExport {
  /// Long enough for a collector nearby, short enough not to hold up a stop when it is gone.
  private static final long FLUSH_SECONDS = 3;

  private OtlpExport() {}

  static boolean isConfigured(Map<String, String> environment) {
    return environment.containsKey("OTEL_EXPORTER_OTLP_ENDPOINT")
        || environment.containsKey("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  }

  static Telemetry start() {
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .addPropertiesSupplier(() ->
                Map.of(
                    "otel.service.name", "substrat",
                    "otel.exporter.otlp.protocol", "http/protobuf",
                    // Metrics are scraped and logs go to stderr.
                    "otel.metrics.exporter", "none",
                    "otel.logs.exporter", "none"))
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk();
    return Telemetry.exporting(sdk, () -> sdk.shutdown().join(FLUSH_SECONDS, TimeUnit.SECONDS));
  }
}
