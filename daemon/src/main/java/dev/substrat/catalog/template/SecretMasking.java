package dev.substrat.catalog.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.platform.json.Json;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Masks the configuration values of tools and MCP servers, except `${env.NAME}` and `{{input.x}}`.
///
/// Any literal there may be a secret, and no list of names and shapes is complete. The structure
/// stays: keys, the host of a URL, names of query parameters, the program of a command, and headers
/// that only describe the content type.
final class SecretMasking {
  private static final Set<String> KEYS =
      Set.of(
          "apiKey",
          "args",
          "body",
          "command",
          "env",
          "expression",
          "headers",
          "queryParams",
          "value");

  private static final Pattern REFERENCE =
      Pattern.compile(
          "\\$\\{env\\.[A-Za-z_][A-Za-z0-9_]*}|\\{\\{\\s*input(?:\\.[^\\s.{}]+)*\\s*}}");

  private static final Pattern SCHEME = Pattern.compile("(?i)(bearer|basic|token|apikey)\\s+");

  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?<scheme>[A-Za-z][A-Za-z0-9+.-]*://)(?<user>[^/?#@]*@)?(?<host>[^/?#@]*)"
              + "(?<path>[^?#@]*)(?:\\?(?<query>[^#@]*))?(?<fragment>#[^@]*)?");

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]*|\\[[0-9A-Fa-f:.]+]");

  private static final Pattern PARAMETER = Pattern.compile("[A-Za-z0-9_.\\[\\]-]{1,40}");

  private static final Pattern PROGRAM = Pattern.compile("[A-Za-z0-9_./\\\\+-]{1,200}");

  private SecretMasking() {}

  /// Whether the value under this key is sent to a service or started as a program.
  static boolean appliesTo(String key) {
    return KEYS.contains(key) || SecretDetector.isAddress(key);
  }

  static JsonNode of(String key, JsonNode value) {
    if (SecretDetector.isAddress(key) && value.isTextual()) {
      return new TextNode(address(value.asText()));
    }
    return switch (key) {
      case "command" -> command(value);
      case "headers" -> headers(value);
      default -> of(value);
    };
  }

  private static JsonNode of(JsonNode value) {
    return switch (value) {
      case ObjectNode object -> {
        var masked = Json.object();
        object.properties().forEach(entry -> masked.set(entry.getKey(), of(entry.getValue())));
        yield masked;
      }
      case ArrayNode list -> {
        var masked = Json.object().arrayNode();
        list.forEach(item -> masked.add(of(item)));
        yield masked;
      }
      default -> value.isBoolean() || value.isNull() ? value : new TextNode(text(value.asText()));
    };
  }

  private static JsonNode headers(JsonNode value) {
    JsonNode masked = of(value);
    if (masked instanceof ObjectNode headers) {
      value.properties().stream()
          .filter(entry -> SecretDetector.isHarmlessHeader(entry.getKey()))
          .forEach(entry -> headers.set(entry.getKey(), entry.getValue()));
    }
    return masked;
  }

  /// The program, and the references among its arguments.
  private static JsonNode command(JsonNode value) {
    if (value.isTextual()) {
      return PROGRAM.matcher(value.asText()).matches() && !value.asText().contains("://")
          ? value
          : of(value);
    }
    JsonNode masked = of(value);
    if (masked instanceof ArrayNode words && !words.isEmpty()) {
      words.set(0, command(value.path(0)));
    }
    return masked;
  }

  /// Each part between references becomes `***`.
  private static String text(String text) {
    var masked = new StringBuilder();
    Matcher reference = REFERENCE.matcher(text);
    int end = 0;
    while (reference.find()) {
      String before = text.substring(end, reference.start());
      masked.append(SCHEME.matcher(before).matches() ? before : literal(before));
      masked.append(reference.group());
      end = reference.end();
    }
    return masked.append(literal(text.substring(end))).toString();
  }

  private static String literal(String literal) {
    return literal.isBlank() ? literal : SecretDetector.HIDDEN;
  }

  /// The host and the names of query parameters stay. A URL that cannot be parsed is masked as a
  /// text.
  private static String address(String text) {
    Matcher parts = ADDRESS.matcher(text);
    if (!parts.matches()) {
      return text(text);
    }
    String host = parts.group("host");
    String plain = REFERENCE.matcher(host).replaceAll("").replaceFirst(":\\d{0,5}$", "");
    String query = parts.group("query");
    return parts.group("scheme")
        + (parts.group("user") == null ? "" : user(parts.group("user")))
        + (HOST.matcher(plain).matches() ? host : text(host))
        + Stream.of(parts.group("path").split("/", -1))
            .map(SecretMasking::text)
            .collect(Collectors.joining("/"))
        + (query == null ? "" : "?" + query(query))
        + (parts.group("fragment") == null ? "" : "#" + SecretDetector.HIDDEN);
  }

  private static String user(String user) {
    return text(user.substring(0, user.length() - 1)) + "@";
  }

  private static String query(String query) {
    return Stream.of(query.split("&", -1))
        .map(SecretMasking::parameter)
        .collect(Collectors.joining("&"));
  }

  private static String parameter(String parameter) {
    int equals = parameter.indexOf('=');
    String name = equals < 0 ? "" : parameter.substring(0, equals);
    return PARAMETER.matcher(name).matches()
        ? name + "=" + text(parameter.substring(equals + 1))
        : text(parameter);
  }
}
