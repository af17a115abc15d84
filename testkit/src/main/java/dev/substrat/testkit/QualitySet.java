package dev.substrat.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/// Passages as agents store them, and questions whose answers are known: by how much a search gets
/// better or worse is a number.
///
/// Half of the questions use words of the passage, half none of them. Both stand in text files
/// beside this class.
public record QualitySet(List<Passage> passages, List<Question> questions) {

  /// Something stored, under a name of its own.
  public record Passage(String id, String text) {}

  /// Whether a question can be answered by its words, or only by what they mean.
  public enum Kind {
    WORDS,
    MEANING
  }

  /// Something asked, and the passages that answer it.
  public record Question(Kind kind, Set<String> answers, String text) {}

  public static QualitySet read() {
    var passages = new ArrayList<Passage>();
    for (String line : lines("passages.txt")) {
      String[] parts = line.split(" ", 2);
      passages.add(new Passage(parts[0], parts[1]));
    }
    var questions = new ArrayList<Question>();
    for (String line : lines("questions.txt")) {
      String[] parts = line.split(" ", 3);
      Kind kind = Kind.valueOf(parts[0].toUpperCase(Locale.ROOT));
      questions.add(new Question(kind, Set.of(parts[1].split(",")), parts[2]));
    }
    return new QualitySet(List.copyOf(passages), List.copyOf(questions));
  }

  /// How many of the answers to questions of a kind are among the first that `search` finds.
  public double recall(Kind kind, Function<Question, List<String>> search) {
    int wanted = 0;
    int found = 0;
    for (Question question : questions) {
      if (question.kind() == kind) {
        List<String> ids = search.apply(question);
        wanted += question.answers().size();
        found += (int) question.answers().stream().filter(ids::contains).count();
      }
    }
    return (double) found / wanted;
  }

  private static List<String> lines(String file) {
    try (var stream = QualitySet.class.getResourceAsStream(file)) {
      if (stream == null) {
        throw new IllegalStateException(file + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
