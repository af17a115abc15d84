package dev.substrat.memory.embedding;

import com.fasterxml.jackson.databind.JsonNode;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// WordPiece tokenizer of BERT models: lower case, no accents, separate punctuation, then the
/// longest pieces in the vocabulary.
///
/// The usual library is a native one of 19 MB, which unpacks itself into the home directory and may
/// download another build of itself.
record WordPieceTokenizer(Map<String, Integer> vocabulary) {

  static final int UNKNOWN = 100;
  static final int BEGIN = 101;
  static final int END = 102;

  private static final int MAX_WORD_LENGTH = 100;

  /// From the JSON description of a tokenizer.
  static WordPieceTokenizer of(JsonNode tokenizer) {
    var vocabulary = new HashMap<String, Integer>();
    tokenizer
        .at("/model/vocab")
        .properties()
        .forEach(piece -> vocabulary.put(piece.getKey(), piece.getValue().intValue()));
    return new WordPieceTokenizer(vocabulary);
  }

  /// At most `most` tokens, without the start and end tokens.
  List<Integer> of(String text, int most) {
    var pieces = new ArrayList<Integer>();
    for (String word : words(text)) {
      if (pieces.size() >= most) {
        break;
      }
      pieces.addAll(pieces(word));
    }
    return pieces.subList(0, Math.min(most, pieces.size()));
  }

  /// The share of a text's letters and digits that is in words of the vocabulary. Shorter pieces
  /// than three letters are in every language's words, so they do not count.
  double knownShare(String text) {
    int all = 0;
    int known = 0;
    for (String word : words(text)) {
      if (Character.isLetterOrDigit(word.codePointAt(0))) {
        all += word.length();
        known += word.length() > 2 && vocabulary.containsKey(word) ? word.length() : 0;
      }
    }
    return all == 0 ? 0 : (double) known / all;
  }

  private static List<String> words(String text) {
    var words = new ArrayList<String>();
    var word = new StringBuilder();
    Normalizer.normalize(text, Normalizer.Form.NFD)
        .codePoints()
        .filter(c -> !isNothing(c))
        .map(Character::toLowerCase)
        .forEach(c -> {
          boolean space = isSpace(c);
          boolean apart = isPunctuation(c) || isIdeograph(c);
          if ((space || apart) && !word.isEmpty()) {
            words.add(word.toString());
            word.setLength(0);
          }
          if (apart) {
            words.add(Character.toString(c));
          } else if (!space) {
            word.appendCodePoint(c);
          }
        });
    if (!word.isEmpty()) {
      words.add(word.toString());
    }
    return words;
  }

  private List<Integer> pieces(String word) {
    if (word.codePointCount(0, word.length()) > MAX_WORD_LENGTH) {
      return List.of(UNKNOWN);
    }
    var pieces = new ArrayList<Integer>();
    int from = 0;
    while (from < word.length()) {
      int to = word.length();
      Integer piece = vocabulary.get(named(word, from, to));
      while (piece == null && to > from + 1) {
        to--;
        piece = vocabulary.get(named(word, from, to));
      }
      if (piece == null) {
        return List.of(UNKNOWN);
      }
      pieces.add(piece);
      from = to;
    }
    return pieces;
  }

  /// Pieces inside a word have a prefix in the vocabulary.
  private static String named(String word, int from, int to) {
    return from == 0 ? word.substring(from, to) : "##" + word.substring(from, to);
  }

  /// Accents and invisible characters.
  private static boolean isNothing(int c) {
    return switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK -> true;
      case Character.CONTROL -> !isSpace(c);
      case Character.FORMAT, Character.UNASSIGNED, Character.PRIVATE_USE, Character.SURROGATE ->
          true;
      default -> c == 0xFFFD;
    };
  }

  private static boolean isSpace(int c) {
    return c == '\t' || c == '\n' || c == '\r' || Character.isSpaceChar(c);
  }

  private static boolean isPunctuation(int c) {
    boolean ascii = c > ' ' && c < 0x7F;
    return ascii
        ? !Character.isLetterOrDigit(c)
        : switch (Character.getType(c)) {
          case Character.CONNECTOR_PUNCTUATION,
              Character.DASH_PUNCTUATION,
              Character.START_PUNCTUATION,
              Character.END_PUNCTUATION,
              Character.INITIAL_QUOTE_PUNCTUATION,
              Character.FINAL_QUOTE_PUNCTUATION,
              Character.OTHER_PUNCTUATION ->
              true;
          default -> false;
        };
  }

  /// Scripts without spaces: each character is a word. Kana and hangul are not included, as in the
  /// training of the model.
  private static boolean isIdeograph(int c) {
    return (c >= 0x4E00 && c <= 0x9FFF)
        || (c >= 0x3400 && c <= 0x4DBF)
        || (c >= 0x20000 && c <= 0x2CEAF)
        || (c >= 0xF900 && c <= 0xFAFF)
        || (c >= 0x2F800 && c <= 0x2FA1F);
  }
}
