package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Collects the errors of a team file, with pointer, line and hint.
final class TeamFileProblems {
  private static final int MAX_COUNT = 20;
  private static final String UNKNOWN_KEY = "is not a known key";

  /// Maximum number of requests per body: the daemon validates in several stages and stops at the
  /// first failing one.
  private static final int MAX_ROUNDS = 12;

  private static final Pattern TYPES = Pattern.compile("(\\w+) found, (\\w+) expected(.*)");
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");

  private static final Map<String, String> EXPECTED =
      Map.of(
          "integer", "a whole number, like 5",
          "number", "a number, like 0.5",
          "string", "a text, like \"harbor\"",
          "boolean", "true or false",
          "array", "a list, like [a, b]",
          "object", "keys and values, like {name: mira}");

  private static final Map<String, String> FOUND =
      Map.of(
          "integer", "a number",
          "number", "a number",
          "string", "a text",
          "boolean", "true or false",
          "array", "a list",
          "object", "keys and values",
          "null", "nothing");

  private final String source;
  private final Supplier<Map<String, Integer>> lines;
  private final List<Problem.ProblemDetail> details = new ArrayList<>();
  private final Set<String> places = new HashSet<>();
  private final Map<String, String> guesses = new HashMap<>();

  /// `lines` supplies the line numbers by JSON pointer; it is called only if there are errors.
  TeamFileProblems(String source, Supplier<Map<String, Integer>> lines) {
    this.source = source;
    this.lines = lines;
  }

  /// An error in the file itself. `advice` may be empty.
  void add(String pointer, String message, String advice) {
    places.add(pointer);
    details.add(
        new Problem.ProblemDetail(pointer, advice.isEmpty() ? message : message + "; " + advice));
  }

  /// Spelling suggestion for an unknown key, used if the daemon does not know the key either.
  void suggest(String pointer, String guess) {
    if (!guess.isEmpty()) {
      guesses.put(pointer, guess);
    }
  }

  /// Sends `body` repeatedly to collect all errors: rejected parts are recorded and removed from
  /// the next request. Returns the response if the first request was accepted.
  ///
  /// `pointer` is the position of `body` in the file, `name` its display name.
  Optional<JsonNode> check(
      String pointer, String name, ObjectNode body, Function<ObjectNode, JsonNode> request) {
    return check(pointer::concat, name, body, request);
  }

  /// The same; `place` translates a pointer in the body to one in the file.
  Optional<JsonNode> check(
      UnaryOperator<String> place,
      String name,
      ObjectNode body,
      Function<ObjectNode, JsonNode> request) {
    var partial = new PartialBody(body);
    var removed = new HashSet<String>();
    for (int round = 0; round < MAX_ROUNDS; round++) {
      try {
        JsonNode reply = request.apply(partial.rest());
        return round == 0 ? Optional.of(reply) : Optional.empty();
      } catch (Fault fault) {
        if (fault.code().kind() != ErrorCode.ErrorKind.CALLER) {
          throw fault;
        }
        if (!note(place, name, fault, partial, removed)) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  /// True if a part was removed, so that another request makes sense.
  private boolean note(
      UnaryOperator<String> place,
      String name,
      Fault fault,
      PartialBody partial,
      Set<String> removed) {
    boolean isLess = false;
    List<Problem.ProblemDetail> details =
        placed(name, fault, partial.rest()).stream()
            .map(one -> new Problem.ProblemDetail(partial.inWhole(one.pointer()), one.message()))
            .toList();
    for (Problem.ProblemDetail detail : details) {
      // A removed part is now reported as missing, which is not an error of the file.
      String inside = detail.pointer() + "/";
      boolean isConsequence = removed.stream().anyMatch(one -> (one + "/").startsWith(inside));
      if (!isConsequence) {
        addOfDaemon(place.apply(detail.pointer()), detail.message(), detail.pointer().isEmpty());
      }
      removed.add(detail.pointer());
      isLess |= partial.remove(detail.pointer());
    }
    return isLess;
  }

  /// Records an error from the daemon about an object or a part of it.
  void add(String pointer, String name, Fault fault, ObjectNode body) {
    for (Problem.ProblemDetail detail : placed(name, fault, body)) {
      addOfDaemon(pointer + detail.pointer(), detail.message(), detail.pointer().isEmpty());
    }
  }

  /// Skips errors at positions that already have one.
  private void addOfDaemon(String pointer, String message, boolean isAboutWhole) {
    if (isAboutWhole || places.add(pointer)) {
      String guess = guesses.get(pointer);
      boolean isUnknownKey = message.startsWith(UNKNOWN_KEY) && guess != null;
      details.add(
          new Problem.ProblemDetail(pointer, isUnknownKey ? UNKNOWN_KEY + guess : plain(message)));
    }
  }

  private static List<Problem.ProblemDetail> placed(String name, Fault fault, ObjectNode body) {
    List<Problem.ProblemDetail> said = fault.problem().details();
    if (said != null && said.size() > 1) {
      return said;
    }
    if (said != null && said.size() == 1) {
      Problem.ProblemDetail only = said.getFirst();
      return List.of(
          new Problem.ProblemDetail(only.pointer(), advised(only.message(), fault.hint())));
    }
    String message = advised(fault.message(), fault.hint());
    Optional<Problem.ProblemDetail> inMessage =
        Problem.ProblemDetail.placed(message).filter(one -> body.has(one.pointer().split("/")[1]));
    if (inMessage.isPresent()) {
      return List.of(inMessage.get());
    }
    return List.of(
        locate(fault.message(), body)
            .map(place -> new Problem.ProblemDetail(place, message))
            .orElseGet(() -> new Problem.ProblemDetail("", name + ": " + message)));
  }

  private static String advised(String message, String hint) {
    boolean isSaid = hint.isEmpty() || message.contains(hint) || hint.startsWith("correct ");
    return isSaid ? message : message + "; " + hint;
  }

  /// The position of a value that the message quotes, if exactly one text of the body equals it.
  private static Optional<String> locate(String message, ObjectNode body) {
    Matcher quoted = QUOTED.matcher(message);
    if (!quoted.find()) {
      return Optional.empty();
    }
    var found = new ArrayList<String>();
    collect(body, "", quoted.group(1), found);
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }

  private static void collect(JsonNode node, String pointer, String value, List<String> found) {
    if (node.isTextual() && node.asText().equals(value)) {
      found.add(pointer);
    }
    node.properties()
        .forEach(entry ->
            collect(entry.getValue(), pointer + "/" + escaped(entry.getKey()), value, found));
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      collect(node.get(i), pointer + "/" + i, value, found);
    }
  }

  static String escaped(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }

  private static String plain(String message) {
    Matcher types = TYPES.matcher(message);
    if (!types.matches() || !EXPECTED.containsKey(types.group(2))) {
      // Names keys of the file instead of command line options.
      return message
          .replace("one of --cron, --at, --after", "one of cron, scheduledAt, runAfter")
          .replace("for example --cron ", "for example cron: ");
    }
    return "must be %s, not %s%s"
        .formatted(
            EXPECTED.get(types.group(2)),
            FOUND.getOrDefault(types.group(1), types.group(1)),
            types.group(3));
  }

  int size() {
    return details.size();
  }

  void throwIfAny() {
    if (details.isEmpty()) {
      return;
    }
    List<Problem.ProblemDetail> shown = inOrder();
    if (shown.size() == 1) {
      Problem.ProblemDetail only = shown.getFirst();
      throw ErrorCode.INVALID_CONFIG.fault(
          "%s: %s %s".formatted(source, only.pointer(), only.message()),
          "nothing was changed; fix the file and apply it again",
          shown);
    }
    throw ErrorCode.INVALID_CONFIG.fault(
        "%s has %d errors%s".formatted(source, details.size(), unlisted()),
        "nothing was changed; fix the file and apply it again",
        shown);
  }

  private String unlisted() {
    int more = details.size() - MAX_COUNT;
    return more > 0 ? ": %d, and %d more not listed".formatted(MAX_COUNT, more) : "";
  }

  /// Sorted by line, each with its line number.
  private List<Problem.ProblemDetail> inOrder() {
    Map<String, Integer> known = new TreeMap<>(lines.get());
    var shown = new ArrayList<Problem.ProblemDetail>();
    details.stream()
        .sorted(Comparator.comparingInt(detail -> line(known, detail.pointer())))
        .limit(MAX_COUNT)
        .forEach(detail -> {
          int line = line(known, detail.pointer());
          String where = line == 0 ? "" : " (line " + line + ")";
          shown.add(new Problem.ProblemDetail(detail.pointer(), detail.message() + where));
        });
    return shown;
  }

  /// For a missing key, the line of its parent.
  private static int line(Map<String, Integer> known, String pointer) {
    String place = pointer;
    while (!place.isEmpty() && !known.containsKey(place)) {
      place = PartialBody.above(place);
    }
    return known.getOrDefault(place, 0);
  }

  /// Request body from which parts can be removed. Maps pointers of the rest to the original body.
  ///
  /// Removing a list entry shifts the following entries. Methods take pointers of the original
  /// body; [#inWhole] translates pointers of the rest.
  private static final class PartialBody {
    private static final Pattern INDEX = Pattern.compile("\\d{1,9}");

    private final ObjectNode rest;

    /// The original indexes of the remaining entries, by the pointer of their list.
    private final Map<String, List<Integer>> left = new HashMap<>();

    PartialBody(ObjectNode whole) {
      this.rest = whole.deepCopy();
    }

    ObjectNode rest() {
      return rest;
    }

    String inWhole(String pointer) {
      var place = new StringBuilder();
      JsonNode node = rest;
      for (String key : keys(pointer)) {
        if (node.isArray() && INDEX.matcher(key).matches()) {
          int index = Integer.parseInt(key);
          List<Integer> indexes = left.get(place.toString());
          int original = indexes != null && index < indexes.size() ? indexes.get(index) : index;
          place.append('/').append(original);
          node = node.path(index);
        } else {
          place.append('/').append(key);
          node = node.path(plain(key));
        }
      }
      return place.toString();
    }

    /// Removes the value at the pointer, or its nearest existing ancestor; false if that is the
    /// root.
    boolean remove(String pointer) {
      String place = pointer;
      while (!place.isEmpty()) {
        String above = above(place);
        String key = place.substring(above.length() + 1);
        boolean isRemoved =
            switch (find(above)) {
              case ObjectNode object -> object.remove(plain(key)) != null;
              case ArrayNode list when INDEX.matcher(key).matches() ->
                  removeEntry(list, above, Integer.parseInt(key));
              default -> false;
            };
        if (isRemoved) {
          return true;
        }
        place = above;
      }
      return false;
    }

    private boolean removeEntry(ArrayNode list, String pointer, int original) {
      List<Integer> indexes =
          left.computeIfAbsent(
              pointer,
              _ ->
                  IntStream.range(0, list.size())
                      .boxed()
                      .collect(Collectors.toCollection(ArrayList::new)));
      int index = indexes.indexOf(original);
      if (index < 0) {
        return false;
      }
      indexes.remove(/* index */ index);
      list.remove(index);
      return true;
    }

    private JsonNode find(String pointer) {
      var place = new StringBuilder();
      JsonNode node = rest;
      for (String key : keys(pointer)) {
        if (node.isArray()) {
          int index = INDEX.matcher(key).matches() ? Integer.parseInt(key) : -1;
          List<Integer> indexes = left.get(place.toString());
          int here = indexes == null ? index : indexes.indexOf(index);
          node = here < 0 ? MissingNode.getInstance() : node.path(here);
        } else {
          node = node.path(plain(key));
        }
        place.append('/').append(key);
      }
      return node;
    }

    private static List<String> keys(String pointer) {
      return pointer.isEmpty() ? List.of() : List.of(pointer.substring(1).split("/", -1));
    }

    static String above(String pointer) {
      return pointer.isEmpty() ? "" : pointer.substring(0, pointer.lastIndexOf('/'));
    }

    private static String plain(String key) {
      return key.replace("~1", "/").replace("~0", "~");
    }
  }
}
