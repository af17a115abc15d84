package dev.substrat.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.protocol.ErrorCode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Tool that combines several address forms. Its input is their union; the given address selects
/// the form, whose own rules apply then.
final class CombinedAddressTool implements Tool {
  private final List<AddressForm> forms;
  private final JsonSchema input;
  private final JsonSchema output;

  CombinedAddressTool(List<AddressForm> forms) {
    this.forms = List.copyOf(forms);
    this.input = JsonSchema.of(union(forms));
    this.output = JsonSchema.ofAny(forms.stream().map(Tool::output).toList());
  }

  @Override
  public String name() {
    return forms.getFirst().name();
  }

  /// The first sentence is sufficient at a glance.
  @Override
  public String description() {
    String glance =
        forms.stream().map(CombinedAddressTool::choice).collect(Collectors.joining(", or "));
    return "Send a message to one place: "
        + glance
        + ".\n\n"
        + forms.stream()
            .map(form -> when(form) + form.description())
            .collect(Collectors.joining("\n\n"));
  }

  private static String choice(AddressForm form) {
    return form.address().isEmpty()
        ? "your active space (no address)"
        : "by `" + form.address() + "`";
  }

  private static String when(AddressForm form) {
    return form.address().isEmpty()
        ? "Without an address: "
        : "With `%s`: ".formatted(form.address());
  }

  @Override
  public JsonSchema input() {
    return input;
  }

  @Override
  public JsonSchema output() {
    return output;
  }

  /// All forms of a tool do the same to the world.
  @Override
  public ToolEffect effect() {
    return forms.getFirst().effect();
  }

  @Override
  public boolean isOneTransaction() {
    return forms.stream().allMatch(Tool::isOneTransaction);
  }

  @Override
  public ToolResult call(ToolCall call, ObjectNode arguments) {
    AddressForm form = meant(call, arguments);
    form.accepted().require(arguments);
    return form.call(call, arguments);
  }

  private AddressForm meant(ToolCall call, ObjectNode arguments) {
    List<AddressForm> addressed =
        forms.stream().filter(form -> arguments.has(form.address())).toList();
    if (addressed.size() <= 1) {
      Optional<AddressForm> meant =
          forms.stream().filter(form -> form.isMeant(call, arguments)).findFirst();
      if (meant.isPresent()) {
        return meant.get();
      }
    }
    if (addressed.isEmpty()) {
      forms.forEach(form -> form.requireAddress(call));
    }
    if (addressed.size() > 1) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "more than one address: " + named(addressed), "set only one of them");
    }
    return addressed.isEmpty()
        ? forms.stream()
            .filter(form -> form.address().isEmpty())
            .findFirst()
            .orElseThrow(() ->
                ErrorCode.INVALID_ARGUMENTS.fault(
                    "the message has no address", "set one of: " + named(forms)))
        : addressed.getFirst();
  }

  private static String named(List<AddressForm> forms) {
    return forms.stream()
        .map(AddressForm::address)
        .filter(address -> !address.isEmpty())
        .collect(Collectors.joining(", "));
  }

  /// All keys of all variants; a key is required only if all of them require it.
  private static ObjectNode union(List<AddressForm> forms) {
    var properties = Json.object();
    Set<String> required = null;
    for (AddressForm form : forms) {
      JsonNode one = form.input().json();
      one.path("properties")
          .properties()
          .forEach(property -> properties.putIfAbsent(property.getKey(), property.getValue()));
      var demanded = new LinkedHashSet<String>();
      one.path("required").forEach(key -> demanded.add(key.asText()));
      if (required == null) {
        required = demanded;
      } else {
        required.retainAll(demanded);
      }
    }
    var schema = Json.object().put("type", "object");
    schema.set("properties", properties);
    var list = schema.putArray("required");
    (required == null ? Set.<String>of() : required).forEach(list::add);
    return schema.put("additionalProperties", false);
  }
}
