package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// URL template of a custom tool.
///
/// Up to the end of the authority values are inserted literally: the HTTP client checks the
/// resulting address. In the path and the query, input is percent-encoded, so that it stays within
/// its segment or value. A segment that is empty or only dots is rejected, because it would change
/// the path.
public final class AddressTemplate {
  private AddressTemplate() {}

  public static String of(PlaceholderFiller filling, String template, Map<String, JsonNode> query) {
    int path = pathStart(template);
    int question = next("?#", template, path);
    String address =
        filling.text(template.substring(0, path))
            + path(filling, template.substring(path, question))
            + question(filling, template.substring(question));
    return withQuery(address, parameters(filling, query));
  }

  /// Whether input decides which host the address leads to.
  static boolean isHostGiven(String template) {
    return !PlaceholderFiller.inputs(template.substring(0, pathStart(template))).isEmpty();
  }

  /// Behind the authority, which begins behind the first `://`, unless that is part of the path.
  private static int pathStart(String template) {
    int first = next("/?#", template, 0);
    boolean isScheme = first > 0 && template.startsWith("://", first - 1);
    return isScheme ? next("/?#", template, first + 2) : first;
  }

  /// Position of the first of these characters outside of placeholders.
  private static int next(String characters, String template, int from) {
    for (int i = from; i < template.length(); i++) {
      int end = placeEnd(template, i);
      if (end > i) {
        i = end - 1;
      } else if (characters.indexOf(template.charAt(i)) >= 0) {
        return i;
      }
    }
    return template.length();
  }

  private static int placeEnd(String template, int at) {
    var place = PlaceholderFiller.PLACE.matcher(template).region(at, template.length());
    return place.lookingAt() ? place.end() : at;
  }

  private static List<String> split(String separator, String template) {
    var parts = new ArrayList<String>();
    int from = 0;
    while (from <= template.length()) {
      int end = next(separator, template, from);
      parts.add(template.substring(from, end));
      from = end + 1;
    }
    return parts;
  }

  private static String path(PlaceholderFiller filling, String template) {
    return split("/", template).stream()
        .map(segment -> segment(filling, segment))
        .collect(Collectors.joining("/"));
  }

  private static String segment(PlaceholderFiller filling, String template) {
    String segment = filling.text(template, UnaryOperator.identity(), AddressTemplate::encode);
    List<String> inputs = PlaceholderFiller.inputs(template);
    if (!inputs.isEmpty()) {
      requireWhole(String.join(" and ", inputs), segment);
    }
    return segment;
  }

  /// Dots or an empty segment would change the path, encoded or not. Values from the environment
  /// may have several segments, and are not quoted.
  private static void requireWhole(String inputs, String segment) {
    boolean isEmpty = segment.isEmpty() || segment.endsWith("/");
    if (isEmpty || Stream.of(segment.split("/")).anyMatch(Set.of(".", "..")::contains)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "%s is part of a URL and cannot be %s"
              .formatted(inputs, isEmpty ? "empty" : "\".\" or \"..\""),
          "send a non-empty value");
    }
  }

  /// The query and the fragment. A query parameter that consists only of a missing input is
  /// omitted.
  private static String question(PlaceholderFiller filling, String template) {
    int fragment = next("#", template, 0);
    if (fragment == 0) {
      return text(filling, template);
    }
    String parameters =
        split("&", template.substring(1, fragment)).stream()
            .filter(parameter -> !isMissing(filling, parameter))
            .map(parameter -> text(filling, parameter))
            .collect(Collectors.joining("&"));
    return (parameters.isEmpty() ? "" : "?" + parameters)
        + text(filling, template.substring(fragment));
  }

  private static boolean isMissing(PlaceholderFiller filling, String parameter) {
    int equals = next("=", parameter, 0);
    return equals < parameter.length()
        && filling.value(new TextNode(parameter.substring(equals + 1))).isMissingNode();
  }

  private static String text(PlaceholderFiller filling, String template) {
    return filling.text(template, AddressTemplate::encode, AddressTemplate::encode);
  }

  private static List<String> parameters(PlaceholderFiller filling, Map<String, JsonNode> query) {
    var parameters = new ArrayList<String>();
    query.forEach((name, template) -> {
      JsonNode value = filling.value(template);
      if (value.isArray()) {
        value.forEach(item -> parameters.add(parameter(name, item)));
      } else if (!value.isMissingNode()) {
        parameters.add(parameter(name, value));
      }
    });
    return parameters;
  }

  private static String parameter(String name, JsonNode value) {
    String text = value.isValueNode() ? value.asText() : Json.text(value);
    return encode(name) + "=" + encode(text);
  }

  private static String withQuery(String address, List<String> parameters) {
    if (parameters.isEmpty()) {
      return address;
    }
    int fragment = address.indexOf('#');
    String whole = fragment < 0 ? address : address.substring(0, fragment);
    return whole + (whole.indexOf('?') < 0 ? "?" : "&") + String.join("&", parameters);
  }

  /// All but the characters that mean only themselves.
  static String encode(String value) {
    var encoded = new StringBuilder();
    for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (c < 128 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0)) {
        encoded.append(c);
      } else {
        encoded.append('%').append(String.format("%02X", (int) c));
      }
    }
    return encoded.toString();
  }
}
