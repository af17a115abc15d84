package dev.substrat.cli.configedit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Range of a value in a JSON text: start inclusive, end exclusive.
record JsonRange(int start, int end, List<MemberRange> members) {

  /// A member: its key, the start of the key, and its value.
  record MemberRange(String key, int start, JsonRange value) {}

  static Optional<JsonRange> of(String text, JsonFactory format) throws IOException {
    try (JsonParser parser = format.createParser(text)) {
      return parser.nextToken() == null ? Optional.empty() : Optional.of(spot(parser));
    }
  }

  private static JsonRange spot(JsonParser parser) throws IOException {
    int start = start(parser);
    var members = new ArrayList<MemberRange>();
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String key = parser.currentName();
        int keyStart = start(parser);
        parser.nextToken();
        members.add(new MemberRange(key, keyStart, spot(parser)));
      }
    } else {
      parser.skipChildren();
      // Strings are read lazily; reading one sets the end position.
      parser.finishToken();
    }
    return new JsonRange(start, Math.toIntExact(parser.currentLocation().getCharOffset()), members);
  }

  private static int start(JsonParser parser) {
    return Math.toIntExact(parser.currentTokenLocation().getCharOffset());
  }

  Optional<MemberRange> find(String key) {
    return members.stream().filter(member -> member.key().equals(key)).findFirst();
  }
}
