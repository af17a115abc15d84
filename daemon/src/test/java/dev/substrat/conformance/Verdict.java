package dev.substrat.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How one scenario of the suite came out. A warning counts as a failure here.
record Verdict(String scenario, int passed, List<String> failures, List<String> skipped) {

  /// From what the suite has written about it.
  static Verdict read(String scenario, Path checks) {
    int passed = 0;
    var failures = new ArrayList<String>();
    var skipped = new ArrayList<String>();
    try {
      for (JsonNode check : Json.own(Files.readString(checks))) {
        String told = check.path("id").asText() + ": " + check.path("errorMessage").asText();
        switch (check.path("status").asText()) {
          case "SUCCESS" -> passed++;
          case "INFO" -> {
            // It says something, and judges nothing.
          }
          case "SKIPPED" -> skipped.add(told);
          default -> failures.add(told);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Verdict(scenario, passed, failures, skipped);
  }

  String line(String revision) {
    String note = skipped.isEmpty() ? "" : ", " + skipped.size() + " skipped by the suite";
    return "| %s | %s | %d of %d%s |"
        .formatted(revision, scenario, passed, passed + failures.size(), note);
  }
}
