package dev.substrat.bench.mcp;

import dev.substrat.bench.Figure;
import dev.substrat.bench.Report;
import java.util.List;
import java.util.Locale;

/// Compares figures with their targets.
final class BenchmarkTargets {
  private final Report report;
  private final BenchmarkRow java;
  private final List<BenchmarkRow> typeScript;

  /// `typeScript` is empty if there is none.
  BenchmarkTargets(Report report, BenchmarkRow java, List<BenchmarkRow> typeScript) {
    this.report = report;
    this.java = java;
    this.typeScript = typeScript;
  }

  void atLeast(String what, BenchmarkRow ours, double timesJava, double timesTypeScript) {
    var line = new StringBuilder(what + ": " + bar(ours, java, "the Java SDK's echo", timesJava));
    for (BenchmarkRow one : typeScript) {
      line.append(", ").append(bar(ours, one, "the TypeScript SDK's", timesTypeScript));
    }
    report.noting(line.toString());
  }

  private static String bar(BenchmarkRow ours, BenchmarkRow theirs, String whose, double least) {
    double ratio = ours.rate().ratioTo(theirs.rate());
    return String.format(
        Locale.ROOT,
        "%.2fx %s (bar: at least %s%s)",
        ratio,
        whose,
        number(least),
        ratio >= least ? "" : ", MISSED");
  }

  /// Less is better.
  void atMost(String what, Figure ours, Figure theirs) {
    double ratio = ours.ratioTo(theirs);
    report.noting(
        String.format(
            Locale.ROOT,
            "%s: %.0f µs to the Java SDK's %.0f, %.2fx (bar: at most 1x%s)",
            what,
            ours.median(),
            theirs.median(),
            ratio,
            ratio <= 1 ? "" : ", MISSED"));
  }

  private static String number(double value) {
    return value == Math.rint(value) ? "%.0fx".formatted(value) : value + "x";
  }
}
