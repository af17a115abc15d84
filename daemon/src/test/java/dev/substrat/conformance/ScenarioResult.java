package dev.substrat.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Result of one scenario of the conformance suite. A warning counts as a failure here.
record ScenarioResult(String scenario, int passed, List<String> failures, List<String> skipped) {

  /// Parses the output of the suite.
  static ScenarioResult read(String scenario, Path checks) {
    int passed = 0;
    var failures = new ArrayList<String>();
    var skipped = new ArrayList<String>();
    try {
      for (JsonNode check : Json.own(Files.readString(checks))) {
        String told = check.path("id").asText() + ": " + check.path("errorMessage").asText();
        switch (check.path("status").asText()) {
          case "SUCCESS" -> passed++;
          case "INFO" -> {
            // An informational check without a result.
          }
          case "SKIPPED" -> skipped.add(told);
          default -> failures.add(told);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ScenarioResult(scenario, passed, failures, skipped);
  }

  String line(String revision) {
    String note = skipped.isEmpty() ? "" : ", " + skipped.size() + " skipped by the suite";
    return "| %s | %s | %d of %d%s |"
        .formatted(revision, scenario, passed, passed + failures.size(), note);
  }
}
