package dev.substrat.capability;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.fault.Fault;
import dev.substrat.json.Json;
import dev.substrat.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// A configured address with its places filled in.
///
/// Up to the end of the authority everything is inserted as it is: whoever calls the address checks
/// where it leads. In the path and the query, input is percent-encoded, so that it cannot become
/// more than the one segment or value it stands for.
public final class Address {
  private Address() {}

  public static String of(Filling filling, String template, Map<String, JsonNode> query) {
    int path = pathStart(template);
    int question = questionMark(template, path);
    String address =
        filling.text(template.substring(0, path))
            + filling.text(
                template.substring(path, question), UnaryOperator.identity(), Address::segment)
            + filling.text(template.substring(question), Address::encode, Address::encode);
    return withQuery(address, parameters(filling, query));
  }

  /// Behind the authority, outside of all places.
  private static int pathStart(String template) {
    int scheme = template.indexOf("://");
    int from = scheme < 0 ? 0 : scheme + 3;
    for (int i = from; i < template.length(); i++) {
      int end = placeEnd(template, i);
      if (end > i) {
        i = end - 1;
      } else if ("/?#".indexOf(template.charAt(i)) >= 0) {
        return i;
      }
    }
    return template.length();
  }

  private static int questionMark(String template, int from) {
    for (int i = from; i < template.length(); i++) {
      int end = placeEnd(template, i);
      if (end > i) {
        i = end - 1;
      } else if ("?#".indexOf(template.charAt(i)) >= 0) {
        return i;
      }
    }
    return template.length();
  }

  private static int placeEnd(String template, int at) {
    var place = Filling.PLACE.matcher(template).region(at, template.length());
    return place.lookingAt() ? place.end() : at;
  }

  /// A segment of dots would lead elsewhere, encoded or not.
  private static String segment(String value) {
    if (value.equals(".") || value.equals("..")) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "\"" + value + "\" cannot be part of an address",
          "send the name that is meant");
    }
    return encode(value);
  }

  private static List<String> parameters(Filling filling, Map<String, JsonNode> query) {
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
