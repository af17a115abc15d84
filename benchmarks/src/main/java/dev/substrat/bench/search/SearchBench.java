package dev.substrat.bench.search;

import dev.substrat.bench.BenchmarkFigure;
import dev.substrat.bench.BenchmarkReport;
import dev.substrat.memory.embedding.Embedding;
import dev.substrat.memory.embedding.MiniLmModel;
import dev.substrat.memory.embedding.SemanticIndex;
import dev.substrat.memory.embedding.TextEncoder;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.testkit.SearchQualitySet;
import dev.substrat.testkit.SearchQualitySet.LabelledQuery;
import dev.substrat.testkit.SearchQualitySet.QueryKind;
import dev.substrat.testkit.SearchQualitySet.SearchQuality;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;

/// Measures the quality of search on the labelled set, and its latency with 1,000, 10,000 and
/// 100,000 own passages, compared with a `LIKE` scan of the same database and with Lucene.
public final class SearchBench {
  private static final int FIRST = 5;
  private static final int MANY = 100_000;
  private static final String BASE = "hybrid, 1,000 own passages";
  private static final String HYBRID = "hybrid, 100,000";
  private static final String WORDS = "words only, 100,000";
  private static final String SCAN = "LIKE scan, 100,000";

  private final SearchQualitySet set = SearchQualitySet.read();
  private final List<String> originals =
      set.passages().stream().map(SearchQualitySet.LabelledPassage::text).toList();
  private final Map<String, BenchmarkFigure> figures = new LinkedHashMap<>();
  private final Map<String, MeasuredSearch> rows = new HashMap<>();
  private final int rounds;

  public SearchBench(int rounds) {
    this.rounds = rounds;
  }

  /// One way to find something: the first few texts.
  private interface SearchMethod {
    List<String> find(String question);
  }

  public BenchmarkReport run() throws Exception {
    Path folder = Files.createTempDirectory(Path.of("target"), "bench-");
    var fillers = new PassageFillers(MiniLmModel.load(), originals);
    List<String> many = fillers.make(MANY);
    try (var meanings = SemanticIndex.of(MiniLmModel.NAME, () -> fillers);
        var database = Database.embedded(folder.resolve("bench.db"), InstantSource.system());
        var lucene = new LucenePeer(folder.resolve("lucene"), many);
        var fewInLucene = new LucenePeer(folder.resolve("few"), originals)) {
      var archive = new PassageDatabase(database, meanings);
      System.err.println("search: storing 111,000 passages");
      AgentId thousand = archive.agentWith(fillers.make(1_000));
      AgentId tenThousand = archive.agentWith(fillers.make(10_000));
      AgentId hundredThousand = archive.agentWith(many);
      AgentId asker = archive.agentWith(originals);
      archive.embedAll();
      addHybrid(BASE, archive, thousand);
      addHybrid("hybrid, 10,000", archive, tenThousand);
      addHybrid(HYBRID, archive, hundredThousand);
      add(
          "words only, 1,000",
          question -> archive.byWords(thousand, question, FIRST),
          QueryKind.WORDS);
      add(WORDS, question -> archive.byWords(hundredThousand, question, FIRST), QueryKind.WORDS);
      add(
          "words of 1 or 2 characters, 100,000",
          question -> archive.byWords(hundredThousand, question, FIRST),
          QueryKind.SHORT);
      add(SCAN, question -> archive.byScan(hundredThousand, question, FIRST), QueryKind.WORDS);
      add(
          "Lucene, BM25 of words, 100,000",
          question -> lucene.find(question, FIRST),
          QueryKind.WORDS);
      measure();
      return report()
          .noting(quality("hybrid", question -> archive.hybrid(asker, question, FIRST)))
          .noting(quality("words only", question -> archive.byWords(asker, question, FIRST)))
          .noting(quality("LIKE scan", question -> archive.byScan(asker, question, FIRST)))
          .noting(quality("Lucene, BM25", question -> fewInLucene.find(question, FIRST)));
    }
  }

  private void addHybrid(String name, PassageDatabase archive, AgentId agent) {
    add(
        name,
        question -> archive.hybrid(agent, question, FIRST),
        QueryKind.WORDS,
        QueryKind.MEANING);
  }

  private void add(String name, SearchMethod finder, QueryKind... kinds) {
    figures.put(name, new BenchmarkFigure(name));
    rows.put(name, new MeasuredSearch(finder, Set.of(kinds)));
  }

  /// A way to search, and the kinds of queries it is measured with.
  private record MeasuredSearch(SearchMethod finder, Set<QueryKind> kinds) {}

  private BenchmarkReport report() {
    BenchmarkFigure base = Objects.requireNonNull(figures.get(BASE));
    return new BenchmarkReport("search", "µs p50", base, List.copyOf(figures.values()))
        .noting(ratio("hybrid, 100,000 to 1,000 own passages", HYBRID, BASE, "8x"))
        .noting(ratio("words only to a LIKE scan, 100,000 own passages", WORDS, SCAN, "0.2x"));
  }

  private String ratio(String what, String row, String base, String bar) {
    return String.format(
        Locale.ROOT,
        "%s, p50: %.2fx (bar: at most %s)",
        what,
        Objects.requireNonNull(figures.get(row)).ratioTo(Objects.requireNonNull(figures.get(base))),
        bar);
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
    MeasuredSearch row = Objects.requireNonNull(rows.get(name));
    var nanos = new ArrayList<Long>();
    for (LabelledQuery question : set.questions()) {
      if (row.kinds().contains(question.kind())) {
        long start = System.nanoTime();
        row.finder().find(question.text());
        nanos.add(System.nanoTime() - start);
      }
    }
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    return Arrays.stream(sorted).skip(sorted.length / 2).findFirst().orElseThrow() / 1e3;
  }

  private String quality(String name, SearchMethod finder) {
    var text = new StringBuilder("first 5 of " + originals.size() + " passages, " + name + ":");
    for (QueryKind kind : QueryKind.values()) {
      SearchQuality quality = set.quality(kind, question -> ids(finder.find(question.text())));
      text.append(
          String.format(
              Locale.ROOT,
              " %s recall %.2f precision %.2f found %.1f;",
              kind.name().toLowerCase(Locale.ROOT),
              quality.recall(),
              quality.precision(),
              quality.found()));
    }
    return text.toString();
  }

  private List<String> ids(List<String> texts) {
    return set.passages().stream()
        .filter(passage -> texts.contains(passage.text()))
        .map(SearchQualitySet.LabelledPassage::id)
        .toList();
  }

  /// Generates many passages from a few: halves of two passages and a number.
  ///
  /// Each has the vector of one of its sources. Computing 100,000 vectors would take a quarter of
  /// an hour, and the duration of a search does not depend on their values.
  private static final class PassageFillers implements TextEncoder {
    private final TextEncoder model;
    private final List<String> originals;
    private final Map<String, Embedding> vectors = new HashMap<>();

    PassageFillers(TextEncoder model, List<String> originals) {
      this.model = model;
      this.originals = List.copyOf(originals);
      originals.forEach(text -> vectors.put(text, model.encode(text)));
    }

    List<String> make(int count) {
      var random = new Random(count);
      var made = new ArrayList<String>();
      for (int i = 0; i < count; i++) {
        String first = originals.get(random.nextInt(originals.size()));
        String second = originals.get(random.nextInt(originals.size()));
        String text =
            first.substring(0, first.length() / 2)
                + second.substring(second.length() / 2)
                + " No. "
                + i;
        made.add(text);
        vectors.put(text, encode(first));
      }
      return made;
    }

    @Override
    public Embedding encode(String text) {
      Embedding known = vectors.get(text);
      return known == null ? model.encode(text) : known;
    }

    @Override
    public boolean isReadable(String text) {
      return model.isReadable(text);
    }

    @Override
    public void close() {
      model.close();
    }
  }

  /// Lucene index of one agent's passages: any of the words, ranked by BM25. In a daemon, this
  /// second index would have to be kept consistent with the database.
  private static final class LucenePeer implements AutoCloseable {
    private static final String FIELD = "text";

    private final Analyzer analyzer = new StandardAnalyzer();
    private final FSDirectory directory;
    private final DirectoryReader reader;

    LucenePeer(Path folder, List<String> passages) throws IOException {
      this.directory = FSDirectory.open(folder);
      try (var writer = new IndexWriter(directory, new IndexWriterConfig(analyzer))) {
        for (String passage : passages) {
          var document = new Document();
          document.add(new TextField(FIELD, passage, Field.Store.YES));
          writer.addDocument(document);
        }
      }
      this.reader = DirectoryReader.open(directory);
    }

    List<String> find(String question, int most) {
      try {
        var searcher = new IndexSearcher(reader);
        var found = new ArrayList<String>();
        for (ScoreDoc hit : searcher.search(query(question), most).scoreDocs) {
          found.add(searcher.storedFields().document(hit.doc).get(FIELD));
        }
        return found;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private BooleanQuery query(String question) throws IOException {
      var query = new BooleanQuery.Builder();
      try (TokenStream tokens = analyzer.tokenStream(FIELD, question)) {
        var term = tokens.addAttribute(CharTermAttribute.class);
        tokens.reset();
        while (tokens.incrementToken()) {
          query.add(new TermQuery(new Term(FIELD, term.toString())), BooleanClause.Occur.SHOULD);
        }
        tokens.end();
      }
      return query.build();
    }

    @Override
    public void close() throws IOException {
      reader.close();
      directory.close();
      analyzer.close();
    }
  }
}
