package dev.substrat.bench.search;

import dev.substrat.bench.Figure;
import dev.substrat.bench.Report;
import dev.substrat.id.AgentId;
import dev.substrat.meaning.Meanings;
import dev.substrat.meaning.MiniLm;
import dev.substrat.store.Database;
import dev.substrat.testkit.QualitySet;
import dev.substrat.testkit.QualitySet.Kind;
import dev.substrat.testkit.QualitySet.Question;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// How many answers are found, and how long it takes with 1,000, 10,000 and 100,000 passages of the
/// asker's own, beside a plain scan of the same database and Lucene.
public final class SearchBench {
  private static final int FIRST = 5;
  private static final int MANY = 100_000;
  private static final String BASE = "hybrid, 1,000 own passages";
  private static final String MOST = "hybrid, 100,000";

  private final QualitySet set = QualitySet.read();
  private final List<String> originals =
      set.passages().stream().map(QualitySet.Passage::text).toList();
  private final Map<String, Figure> figures = new LinkedHashMap<>();
  private final Map<String, Finder> finders = new HashMap<>();
  private final int rounds;

  public SearchBench(int rounds) {
    this.rounds = rounds;
  }

  /// One way to find something: the first few texts.
  private interface Finder {
    List<String> find(String question);
  }

  public Report run() throws Exception {
    Path folder = Files.createTempDirectory(Path.of("target"), "bench-");
    var fillers = new Fillers(MiniLm.load(), originals);
    List<String> many = fillers.make(MANY);
    try (var meanings = Meanings.of(MiniLm.NAME, () -> fillers);
        var database = Database.embedded(folder.resolve("bench.db"), InstantSource.system());
        var lucene = new LucenePeer(folder.resolve("lucene"), many);
        var fewInLucene = new LucenePeer(folder.resolve("few"), originals)) {
      var archive = new Archive(database, meanings);
      System.err.println("search: storing 111,000 passages");
      AgentId thousand = archive.agentWith(fillers.make(1_000));
      AgentId tenThousand = archive.agentWith(fillers.make(10_000));
      AgentId hundredThousand = archive.agentWith(many);
      AgentId asker = archive.agentWith(originals);
      archive.embedAll();
      add(BASE, question -> archive.hybrid(thousand, question, FIRST));
      add("hybrid, 10,000", question -> archive.hybrid(tenThousand, question, FIRST));
      add(MOST, question -> archive.hybrid(hundredThousand, question, FIRST));
      add("words only, 100,000", question -> archive.byWords(hundredThousand, question, FIRST));
      add("LIKE scan, 100,000", question -> archive.byScan(hundredThousand, question, FIRST));
      add("Lucene, BM25 of words, 100,000", question -> lucene.find(question, FIRST));
      measure();
      return report()
          .noting(recall("hybrid", question -> archive.hybrid(asker, question, FIRST)))
          .noting(recall("words only", question -> archive.byWords(asker, question, FIRST)))
          .noting(recall("LIKE scan", question -> archive.byScan(asker, question, FIRST)))
          .noting(recall("Lucene, BM25", question -> fewInLucene.find(question, FIRST)));
    }
  }

  private void add(String name, Finder finder) {
    figures.put(name, new Figure(name));
    finders.put(name, finder);
  }

  private Report report() {
    Figure base = figures.get(BASE);
    Figure most = figures.get(MOST);
    if (base == null || most == null) {
      throw new IllegalStateException("nothing was measured");
    }
    return new Report("search", "µs p50", base, List.copyOf(figures.values()))
        .noting(
            String.format(
                Locale.ROOT,
                "100,000 own passages to 1,000, p50: %.1fx (bar: at most 25x)",
                most.ratioTo(base)));
  }

  private void measure() {
    // The first round warms up and is not counted.
    for (int round = 0; round <= rounds; round++) {
      System.err.printf("search: round %d of %d%n", round, rounds);
      for (var figure : figures.values()) {
        double micros = median(figure.name());
        if (round > 0) {
          figure.add(micros);
        }
      }
    }
  }

  private double median(String name) {
    Finder finder = finders.getOrDefault(name, _ -> List.of());
    var nanos = new ArrayList<Long>();
    for (Question question : set.questions()) {
      long start = System.nanoTime();
      finder.find(question.text());
      nanos.add(System.nanoTime() - start);
    }
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    return Arrays.stream(sorted).skip(sorted.length / 2).findFirst().orElseThrow() / 1e3;
  }

  private String recall(String name, Finder finder) {
    return String.format(
        Locale.ROOT,
        "recall@5 among %d passages, %s: %.2f by their words, %.2f in other words",
        originals.size(),
        name,
        recall(Kind.WORDS, finder),
        recall(Kind.MEANING, finder));
  }

  private double recall(Kind kind, Finder finder) {
    return set.recall(kind, question -> ids(finder.find(question.text())));
  }

  private List<String> ids(List<String> texts) {
    return set.passages().stream()
        .filter(passage -> texts.contains(passage.text()))
        .map(QualitySet.Passage::id)
        .toList();
  }
}
