package dev.substrat.bench;

import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Writes figures as a table, a JSON file and an image.
public final class BenchmarkReport {
  private final String name;
  private final String unit;
  private final BenchmarkFigure base;
  private final List<BenchmarkFigure> figures;
  private final List<String> notes = new ArrayList<>();

  public BenchmarkReport(
      String name, String unit, BenchmarkFigure base, List<BenchmarkFigure> figures) {
    this.name = name;
    this.unit = unit;
    this.base = base;
    this.figures = List.copyOf(figures);
  }

  /// Adds a line that is no figure.
  public BenchmarkReport noting(String note) {
    notes.add(note);
    return this;
  }

  void print(PrintStream out) {
    out.printf(Locale.ROOT, "%n%-58s %12s %8s%n", name, unit, "ratio");
    for (BenchmarkFigure figure : figures) {
      out.printf(
          Locale.ROOT,
          "%-58s %12.0f %7.2fx%n",
          figure.name(),
          figure.median(),
          figure.ratioTo(base));
    }
    notes.forEach(out::println);
  }

  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    var json = Json.object().put("benchmark", name).put("unit", unit).put("base", base.name());
    var rows = json.putArray("figures");
    for (BenchmarkFigure figure : figures) {
      rows.addObject()
          .put("name", figure.name())
          .put("median", Math.round(figure.median()))
          .put("ratio", Math.round(figure.ratioTo(base) * 100) / 100.0);
    }
    var lines = json.putArray("notes");
    notes.forEach(lines::add);
    Files.writeString(folder.resolve(name + ".json"), Json.text(json) + "\n");
    Files.writeString(folder.resolve(name + ".svg"), picture());
  }

  /// One bar per figure, as long as its ratio.
  private String picture() {
    double longest = figures.stream().mapToDouble(f -> f.ratioTo(base)).max().orElse(1);
    var svg = new StringBuilder();
    int height = 40 + figures.size() * 34;
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">%n"
            .formatted(height));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    svg.append(
        "<text x=\"16\" y=\"24\" font-weight=\"bold\">%s: %s, relative to %s</text>%n"
            .formatted(name, unit, base.name()));
    for (int i = 0; i < figures.size(); i++) {
      BenchmarkFigure figure = figures.get(i);
      double ratio = figure.ratioTo(base);
      int y = 40 + i * 34;
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"16\" y=\"%d\">%s</text><rect x=\"430\" y=\"%d\" width=\"%.0f\" height=\"20\" fill=\"#3b6ea5\"/><text x=\"%.0f\" y=\"%d\">%.2fx</text>%n",
              y + 15,
              figure.name(),
              y,
              Math.max(1, 340 * ratio / longest),
              438 + 340 * ratio / longest,
              y + 15,
              ratio));
    }
    return svg.append("</svg>\n").toString();
  }
}
