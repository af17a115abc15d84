package dev.substrat.memory.embedding;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The bundled embedding model: quantised `all-MiniLM-L6-v2`. It needs no network and works best
/// for English.
///
/// Safe for many threads: the session is, and there is no other state. Computation happens on the
/// caller's thread only.
public final class MiniLmModel implements TextEncoder {
  /// Stored with every vector, because vectors of different models cannot be compared.
  public static final String NAME = "all-minilm-l6-v2-q";

  private static final int DIMENSIONS = 384;

  /// Maximum length of an input. A longer text is encoded in parts, up to a limit: the first pages
  /// show its topic.
  private static final int PIECES = 254;

  private static final int PARTS = 8;

  /// Length of a part with its own vector, about two sentences. In a longer part, a sentence that
  /// answers a question is diluted by its neighbours.
  private static final int PART = 48;

  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?;:])\\s+|(?<=[。！？])|\\R+");

  /// Minimum share of known words in a text that the model can read. Random keystrokes and unknown
  /// languages are below.
  private static final double KNOWN = 0.4;

  private final OrtEnvironment environment;
  private final OrtSession session;
  private final WordPieceTokenizer wordPieces;

  private MiniLmModel(
      OrtEnvironment environment, OrtSession session, WordPieceTokenizer wordPieces) {
    this.environment = environment;
    this.session = session;
    this.wordPieces = wordPieces;
  }

  /// Takes about a second, and about 100 MB outside the heap.
  public static MiniLmModel load() {
    var environment =
        OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR, "substrat");
    try (var options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      var pieces = Json.own(new String(resource(NAME + "-tokenizer.json"), StandardCharsets.UTF_8));
      return new MiniLmModel(
          environment,
          environment.createSession(resource(NAME + ".onnx"), options),
          WordPieceTokenizer.of(pieces));
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] resource(String name) {
    try (var stream = MiniLmModel.class.getResourceAsStream("/" + name)) {
      if (stream == null) {
        throw new IllegalStateException(name + " is not on the class path");
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Embedding encode(String text) {
    List<Integer> pieces = wordPieces.of(text, PIECES * PARTS);
    var sum = new float[DIMENSIONS];
    for (int from = 0; from == 0 || from < pieces.size(); from += PIECES) {
      add(sum, pieces.subList(from, Math.min(pieces.size(), from + PIECES)));
    }
    return Embedding.of(sum);
  }

  @Override
  public List<Embedding> encodeParts(String text) {
    return parts(text).stream()
        .map(part -> {
          var sum = new float[DIMENSIONS];
          add(sum, part);
          return Embedding.of(sum);
        })
        .toList();
  }

  /// Adjacent sentences, as many as fit into a part.
  private List<List<Integer>> parts(String text) {
    var parts = new ArrayList<List<Integer>>();
    var part = new ArrayList<Integer>();
    int left = PIECES * PARTS;
    for (String sentence : SENTENCE_END.split(text)) {
      List<Integer> pieces = wordPieces.of(sentence, Math.min(left, PIECES));
      left -= pieces.size();
      if (!part.isEmpty() && part.size() + pieces.size() > PART) {
        parts.add(List.copyOf(part));
        part.clear();
      }
      part.addAll(pieces);
    }
    if (!part.isEmpty() || parts.isEmpty()) {
      parts.add(part);
    }
    return parts;
  }

  @Override
  public boolean isReadable(String text) {
    return wordPieces.knownShare(text) >= KNOWN;
  }

  /// Adds the output for each piece, so that a part counts by its length.
  private void add(float[] sum, List<Integer> pieces) {
    var ids = new long[1][pieces.size() + 2];
    ids[0][0] = WordPieceTokenizer.BEGIN;
    for (int i = 0; i < pieces.size(); i++) {
      ids[0][i + 1] = pieces.get(i);
    }
    ids[0][pieces.size() + 1] = WordPieceTokenizer.END;
    var all = new long[1][ids[0].length];
    Arrays.fill(all[0], 1);
    var first = new long[1][ids[0].length];
    try (var input = OnnxTensor.createTensor(environment, ids);
        var mask = OnnxTensor.createTensor(environment, all);
        var types = OnnxTensor.createTensor(environment, first);
        var result =
            session.run(
                Map.of("input_ids", input, "attention_mask", mask, "token_type_ids", types))) {
      var said = ((OnnxTensor) result.get(0)).getFloatBuffer();
      for (int i = 0; said.hasRemaining(); i = (i + 1) % DIMENSIONS) {
        sum[i] += said.get();
      }
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }
}
