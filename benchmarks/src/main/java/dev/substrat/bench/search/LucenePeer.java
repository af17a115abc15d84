package dev.substrat.bench.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

/// Lucene index of one agent's passages: any of the words, ranked by BM25. In a daemon, this second
/// index would have to be kept consistent with the database.
final class LucenePeer implements AutoCloseable {
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
