package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.CelExpression;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.platform.json.SchemaDefect;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Validation of custom tools beyond their schema.
public final class CustomToolRules {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
  private static final Pattern ADDRESS = Pattern.compile("(?i)https?://[^\\s/?#]+([/?#]\\S*)?");
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
  private static final List<String> COMPONENTS =
      List.of("confirmAction", "approval", "choice", "text", "form");
  static final int MAX_COUNT = 100;

  /// Longer calls must be answered later.
  static final long MAX_CALL_MILLIS = 300_000;

  /// Clients of external agents time out after 60 seconds.
  private static final int MAX_INLINE_SECONDS = 50;

  /// A question expires after a year at the latest.
  private static final long MAX_QUESTION_MILLIS = 366L * 24 * 3600 * 1000;

  private CustomToolRules() {}

  /// `taken` are names of existing tools.
  public static void requireTools(
      List<CustomToolConfig> tools, Set<String> taken, AllowedEnvironment environment) {
    require(
        tools.size() <= MAX_COUNT, "/tools has more than " + MAX_COUNT + " entries", "remove some");
    var names = new HashSet<String>();
    var mistakes = new ConfigProblems();
    for (int i = 0; i < tools.size(); i++) {
      CustomToolConfig tool = tools.get(i);
      String place = "/tools/" + i;
      String execution = place + "/execution";
      mistakes.note(
          place,
          () -> {
            requireName(place, tool.name());
            require(
                !taken.contains(tool.name()),
                place + "/name is the name of a built-in tool: " + tool.name(),
                "choose another name");
            require(
                names.add(tool.name()),
                place + "/name is a duplicate: " + tool.name(),
                "choose another name");
          });
      mistakes.note(place, () -> requireSchema(place, tool));
      mistakes.note(
          execution,
          () -> {
            requireExecution(place, tool);
            requireAllowed(Json.tree(tool.executionOrNone()), execution, environment);
            PlaceholderRules.require(execution, tool);
          });
      mistakes.note(place + "/middleware", () -> middleware(tool.middleware()));
    }
    mistakes.throwIfAny();
  }

  /// Warnings: configurations that are accepted, but probably wrong.
  public static List<String> warnings(
      List<CustomToolConfig> tools, AllowedEnvironment environment) {
    var warnings = new ArrayList<String>();
    for (int i = 0; i < tools.size(); i++) {
      String place = "/tools/" + i;
      String execution = place + "/execution";
      ToolExecution of = tools.get(i).executionOrNone();
      warnings.addAll(PlaceholderRules.warnings(execution, tools.get(i)));
      warnAboutAddress(execution + "/url", of.url()).ifPresent(warnings::add);
      warnAboutAddress(execution + "/webhookUrl", of.webhookUrl()).ifPresent(warnings::add);
      warnAboutAddress(execution + "/baseUrl", of.baseUrl()).ifPresent(warnings::add);
      warnAboutHost(execution, of).ifPresent(warnings::add);
      warnAboutComponent(place, tools.get(i).displayOrNone()).ifPresent(warnings::add);
      warnAboutDescription(place, tools.get(i)).ifPresent(warnings::add);
      warnAboutKey(execution, of, environment).ifPresent(warnings::add);
      warnAboutDisplays(place, tools.get(i)).ifPresent(warnings::add);
    }
    return List.copyOf(warnings);
  }

  private static Optional<String> warnAboutDescription(String place, CustomToolConfig tool) {
    return tool.description() == null || tool.description().isBlank()
        ? Optional.of(
            "%s/description of %s is missing: the agent sees \"%s\"; describe what the tool does and when to use it"
                .formatted(place, tool.name(), tool.descriptionOrName()))
        : Optional.empty();
  }

  private static Optional<String> warnAboutKey(
      String place, ToolExecution execution, AllowedEnvironment environment) {
    return execution.usesUsualKey() && environment.findAllowed(ToolExecution.IMAGE_KEY).isEmpty()
        ? Optional.of(
            "%1$s has no API key for %2$s: set %3$s and start the daemon with --allow-env %3$s, or set apiKey: ${env.NAME}"
                .formatted(place, execution.provider(), ToolExecution.IMAGE_KEY))
        : Optional.empty();
  }

  private static Optional<String> warnAboutDisplays(String place, CustomToolConfig tool) {
    ToolDisplay inside = tool.executionOrNone().display();
    return inside == null || tool.display() == null || inside.equals(tool.display())
        ? Optional.empty()
        : Optional.of(
            "%1$s/execution/display has no effect, because %1$s/display is set: remove one of the keys"
                .formatted(place));
  }

  /// Warns if arguments choose the host that receives a secret.
  private static Optional<String> warnAboutHost(String place, ToolExecution execution) {
    String address = execution.address();
    List<String> secrets = PlaceholderFiller.secrets(Json.tree(execution));
    if (address == null || secrets.isEmpty() || !AddressTemplate.isHostGiven(address)) {
      return Optional.empty();
    }
    String key = execution.url() == null ? "webhookUrl" : "url";
    return Optional.of(
        "%s/%s lets the agent's arguments choose the host that receives ${env.%s}: use a fixed host, and placeholders only in the path or the query"
            .formatted(place, key, String.join("}, ${env.", secrets)));
  }

  /// The final URL is checked when it is called; only then it is complete.
  private static Optional<String> warnAboutAddress(String place, @Nullable String url) {
    return url == null || isAddress(url)
        ? Optional.empty()
        : Optional.of(
            "%s is not a URL: \"%s\"; write the complete URL, for example https://example.com/path"
                .formatted(place, url));
  }

  /// Other names are custom components, unless they are almost equal to a built-in one.
  private static Optional<String> warnAboutComponent(String place, ToolDisplay display) {
    String component = display.customUI() == null ? "" : display.customUI();
    return SpellingSuggestion.findMisspelling(component, COMPONENTS)
        .map(meant ->
            "%s/display/customUI is \"%s\", which is not a built-in component; did you mean %s?"
                .formatted(place, component, meant));
  }

  /// Placeholders may become any text; the text around them is checked.
  static boolean isAddress(String url) {
    return PlaceholderFiller.PLACE.matcher(url).lookingAt()
        || ADDRESS.matcher(PlaceholderFiller.PLACE.matcher(url).replaceAll("x")).matches();
  }

  /// Parses the middleware, in order.
  public static List<MiddlewareConfig> middleware(@Nullable List<JsonNode> written) {
    return written == null ? List.of() : written.stream().map(MiddlewareConfig::parse).toList();
  }

  static void requireName(String place, String name) {
    require(
        NAME.matcher(name).matches(),
        place + "/name must have 1 to 64 letters, digits, _ or -, and begin with a letter",
        "choose another name");
  }

  /// An invalid schema would fail every call, long after it was configured.
  private static void requireSchema(String place, CustomToolConfig tool) {
    JsonNode schema = tool.inputSchema();
    if (schema == null) {
      return;
    }
    JsonNode type = schema.path("type");
    require(
        type.asText("object").equals("object"),
        "%s/inputSchema/type must be \"object\", not %s".formatted(place, Json.text(type)),
        SpellingSuggestion.suggestion(type.asText(), List.of("object"))
            + "define each argument in its properties");
    Optional<SchemaDefect> flaw = JsonSchema.of(schema).findDefect();
    require(
        flaw.isEmpty(),
        "%s/inputSchema%s of %s is not a valid schema: %s"
            .formatted(
                place,
                flaw.map(SchemaDefect::place).orElse(""),
                tool.name(),
                flaw.map(SchemaDefect::words).orElse("")),
        "use JSON Schema 2020-12; a $ref must point into the same schema");
  }

  private static void requireExecution(String place, CustomToolConfig tool) {
    ToolExecution execution = tool.executionOrNone();
    requireWork(place, tool, execution);
    require(
        tool.executionType() != ExecutionType.INTERNAL || !Boolean.TRUE.equals(tool.visible()),
        place + " is internal, so visible has no effect",
        "remove the key `visible`, or set `executionType: gateway`");
    require(
        execution.callback() == null || tool.executionType() == ExecutionType.EXTERNAL,
        place + "/execution/callback needs `executionType: external`",
        "omit the key");
    String method = execution.method();
    require(
        method == null || METHODS.contains(method),
        place + "/execution/method must be one of " + String.join(", ", METHODS),
        SpellingSuggestion.suggestion(String.valueOf(method).toUpperCase(Locale.ROOT), METHODS)
            + "default: POST for external tools, otherwise GET");
    requireTimeout(
        place + "/execution",
        execution.timeout(),
        tool.isAnsweredLater() ? MAX_QUESTION_MILLIS : MAX_CALL_MILLIS);
    requireInline(place + "/execution", execution.inlineSeconds());
  }

  private static void requireWork(String place, CustomToolConfig tool, ToolExecution execution) {
    boolean isDone =
        execution.address() != null
            || execution.agentConfig() != null
            || execution.provider() != null;
    boolean isInternal = tool.executionType() == ExecutionType.INTERNAL;
    boolean isOurs = isInternal || tool.executionType() == ExecutionType.GATEWAY;
    requireProvider(place, execution.provider());
    require(
        execution.expression() == null || isOurs,
        "%s/execution/expression needs executionType internal or gateway, not %s"
            .formatted(place, tool.executionType()),
        "change `executionType`, or remove the key `expression`");
    requireExpression(place, execution, !isDone && execution.value() == null);
    require(
        execution.value() == null || (isInternal && !isDone),
        place + "/execution/value needs `executionType: internal` and no other action",
        "remove the key `value`, or set `executionType: internal` and remove `url`, `agentConfig`"
            + " and `provider`");
    require(
        isDone || execution.computes() || !isOurs,
        place
            + "/execution needs one of `url`, `expression`, `agentConfig` and `provider` (image"
            + " service)",
        "set one of them; an internal tool may have a value instead");
    require(
        tool.executionType() != ExecutionType.SPACE || !isDone,
        place
            + "/execution of a space tool cannot have `url`, `agentConfig` or `provider`: a person"
            + " answers",
        "remove the key, or set `executionType: gateway`");
  }

  private static void requireProvider(String place, @Nullable String provider) {
    require(
        provider == null || ToolExecution.IMAGE_PROVIDERS.contains(provider),
        "%s/execution/provider \"%s\" is not a known image service".formatted(place, provider),
        SpellingSuggestion.suggestion(String.valueOf(provider), ToolExecution.IMAGE_PROVIDERS)
            + "use %s; for another service with the same API, use openai and set `baseUrl`"
                .formatted(String.join(" or ", ToolExecution.IMAGE_PROVIDERS)));
  }

  private static void requireExpression(String place, ToolExecution execution, boolean mayCompute) {
    if (execution.expression() == null) {
      return;
    }
    require(
        mayCompute,
        place + "/execution/expression cannot be combined with another action",
        "remove the key `expression`, or remove `url`, `value`, `agentConfig` and `provider`");
    try {
      CelExpression.compile(execution.expression(), Set.of("input"));
    } catch (Fault fault) {
      throw new Fault(
          fault.code(), place + "/execution/expression: " + fault.message(), fault.hint());
    }
  }

  static void requireTimeout(String place, @Nullable Long timeout, long most) {
    require(
        timeout == null || (timeout >= 1 && timeout <= most),
        place + "/timeout must be between 1 and " + most + " milliseconds",
        "for example 30000 (30 seconds)");
  }

  static void requireInline(String place, @Nullable Integer seconds) {
    require(
        seconds == null || (seconds >= 0 && seconds <= MAX_INLINE_SECONDS),
        "%s/inlineSeconds must be between 0 and %d, not %s"
            .formatted(place, MAX_INLINE_SECONDS, seconds),
        "0 makes every call pending immediately; the default is 4 in a turn and 30 for external"
            + " agents");
  }

  /// Checks all keys, so that a secret that is not allowed cannot leave by any of them.
  static void requireAllowed(JsonNode value, String place, AllowedEnvironment environment) {
    if (value.isTextual()) {
      var found = PlaceholderFiller.PLACE.matcher(value.asText());
      while (found.find()) {
        if (found.group("env") != null) {
          environment.requireAllowed(found.group("env"), place);
        }
      }
    } else if (value.isArray()) {
      value.forEach(item -> requireAllowed(item, place, environment));
    } else {
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        requireAllowed(entry.getValue(), place + "/" + entry.getKey(), environment);
      }
    }
  }

  static void require(boolean fine, String message, String hint) {
    if (!fine) {
      throw ErrorCode.INVALID_CONFIG.fault(message, hint);
    }
  }
}
