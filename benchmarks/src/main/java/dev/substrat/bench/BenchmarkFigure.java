package dev.substrat.bench;

import java.util.ArrayList;
import java.util.List;

/// One row of a benchmark: its measurements per round.
public final class BenchmarkFigure {
  private final String name;
  private final List<Double> rounds = new ArrayList<>();

  public BenchmarkFigure(String name) {
    this.name = name;
  }

  public void add(double value) {
    rounds.add(value);
  }

  public String name() {
    return name;
  }

  public double median() {
    return median(rounds);
  }

  /// Median over rounds of this figure divided by `base`, computed per round, so that a temporary
  /// slowdown of the machine affects both.
  public double ratioTo(BenchmarkFigure base) {
    var ratios = new ArrayList<Double>();
    for (int i = 0; i < rounds.size(); i++) {
      ratios.add(rounds.get(i) / base.rounds.get(i));
    }
    return median(ratios);
  }

  private static double median(List<Double> values) {
    var sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
