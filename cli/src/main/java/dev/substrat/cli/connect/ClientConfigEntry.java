package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// An entry for Substrat in a client's file: its transport and, if visible, its principal.
record ClientConfigEntry(String transport, String holder, Optional<String> token) {
  private static final Pattern TOKEN = Pattern.compile("substrat_([A-Za-z0-9-]+)_[A-Za-z0-9_-]+");

  /// Keys that define how to reach a server. They are replaced together when an entry is renewed.
  private static final Set<String> ADDRESS =
      Set.of(
          "type",
          "command",
          "cmd",
          "args",
          "url",
          "httpUrl",
          "uri",
          "headers",
          "http_headers",
          "bearer_token_env_var",
          "env_keys",
          "oauth");

  /// Keys whose values may be secret and are not printed.
  private static final Set<String> PRIVATE =
      Set.of("env", "envs", "environment", "headers", "http_headers", "env_http_headers");

  /// Empty if the entry is not for Substrat.
  static Optional<ClientConfigEntry> of(JsonNode entry) {
    List<String> words = words(entry);
    if (words.size() > 1 && isUs(words.getFirst()) && words.get(1).equals("mcp")) {
      String holder =
          after(words, "--agent")
              .or(() -> after(words, "--default").map(agent -> "zoo, default agent " + agent))
              .orElse("zoo");
      return Optional.of(new ClientConfigEntry("stdio", holder, Optional.empty()));
    }
    String shown =
        entry.path("headers").path("Authorization").asText("")
            + entry.path("http_headers").path("Authorization").asText("");
    var token = TOKEN.matcher(shown);
    if (token.find()) {
      return Optional.of(
          new ClientConfigEntry("http", "token " + token.group(1), Optional.of(token.group())));
    }
    return shown.contains(ConnectionEntry.VARIABLE)
            || entry.path("bearer_token_env_var").asText().equals(ConnectionEntry.VARIABLE)
        ? Optional.of(
            new ClientConfigEntry("http", "$" + ConnectionEntry.VARIABLE, Optional.empty()))
        : Optional.empty();
  }

  private static Optional<String> after(List<String> words, String option) {
    int next = words.indexOf(option) + 1;
    return next > 0 && next < words.size() ? Optional.of(words.get(next)) : Optional.empty();
  }

  private static boolean isUs(String command) {
    return command.equals("substrat") || command.endsWith("/substrat");
  }

  /// The command line of a server, from any of the three notations.
  private static List<String> words(JsonNode entry) {
    var words = new ArrayList<String>();
    Stream.of("command", "cmd", "args")
        .map(entry::path)
        .flatMap(part -> part.isArray() ? part.valueStream() : Stream.of(part))
        .filter(JsonNode::isTextual)
        .forEach(word -> words.add(word.asText()));
    return words;
  }

  /// `fresh` with the user's additions to the old entry, in the order of the old entry.
  static ObjectNode refreshed(JsonNode before, ObjectNode fresh) {
    var renewed = JsonTree.object();
    for (var member : before.properties()) {
      String key = member.getKey();
      if (fresh.has(key)) {
        renewed.set(key, merged(member.getValue(), fresh.path(key)));
      } else if (!ADDRESS.contains(key)) {
        renewed.set(key, member.getValue());
      }
    }
    fresh.properties().stream()
        .filter(member -> !renewed.has(member.getKey()))
        .forEach(member -> renewed.set(member.getKey(), member.getValue()));
    return renewed;
  }

  private static JsonNode merged(JsonNode before, JsonNode fresh) {
    if (!(before instanceof ObjectNode old) || !(fresh instanceof ObjectNode young)) {
      return fresh;
    }
    ObjectNode both = old.deepCopy();
    young.properties().forEach(member -> both.set(member.getKey(), member.getValue()));
    return both;
  }

  /// The text with our tokens masked.
  static String masked(String text) {
    return TOKEN.matcher(text).replaceAll("substrat_$1_…");
  }

  /// An entry on one line, without secrets.
  static String displayText(JsonNode entry) {
    if (!(entry instanceof ObjectNode object)) {
      return JsonTree.text(entry);
    }
    ObjectNode copy = object.deepCopy();
    PRIVATE.stream().filter(copy::has).forEach(key -> copy.put(key, "…"));
    return masked(JsonTree.text(copy));
  }

  /// The id in `substrat_<id>_<secret>`.
  static String tokenId(String token) {
    return TOKEN.matcher(token).replaceAll("$1");
  }
}
