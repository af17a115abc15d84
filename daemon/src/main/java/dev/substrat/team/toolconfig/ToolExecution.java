package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Execution settings of a custom tool. Which keys apply depends on the action: call a URL, run a
/// sub-agent, create an image, compute the result, or wait for a person or service.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ToolExecution(
    @JsonPropertyDescription("URL to call; may contain ${env.X} and {{input.a}}.")
        @Nullable String url,
    @JsonPropertyDescription("Alias of url.") @Nullable String webhookUrl,
    @JsonPropertyDescription("GET (default of gateway and internal), POST (of external), ...")
        @Nullable String method,
    @Nullable Map<String, String> headers,
    @JsonPropertyDescription("Query parameters; a placeholder without a value is omitted.")
        @Nullable Map<String, JsonNode> queryParams,
    @JsonPropertyDescription("Body, JSON or text. Default: the arguments; for GET, none.")
        @Nullable JsonNode body,
    @JsonPropertyDescription("Milliseconds until the call times out, or until a question expires.")
        @Nullable Long timeout,
    @JsonPropertyDescription(
            "Seconds until a call becomes pending, 0 to 50; default 4 in a turn, 30 for external"
                + " agents.")
        @Nullable Integer inlineSeconds,
    @JsonPropertyDescription("Sub-agent that answers the call.") @Nullable ObjectNode agentConfig,
    @JsonPropertyDescription("true: the sub-agent gets the caller's history.")
        @Nullable Boolean includeContext,
    @JsonPropertyDescription("Image service: openai (or dall-e, an alias).")
        @Nullable String provider,
    @Nullable String model,
    @Nullable String size,
    @Nullable String quality,
    @JsonPropertyDescription("URL of the image service. Default: the vendor's.")
        @Nullable String baseUrl,
    @JsonPropertyDescription(
            "API key, as ${env.X}. Default: OPENAI_API_KEY, unless baseUrl is set.")
        @Nullable String apiKey,
    @JsonPropertyDescription(
            "For external: true if the service accepts the call and sends the result later.")
        @Nullable Boolean callback,
    @JsonPropertyDescription("For internal: the result; may contain {{input.a}}.")
        @Nullable JsonNode value,
    @JsonPropertyDescription(
            "For internal and gateway: CEL expression over the variable input; its value is the"
                + " result.")
        @Nullable String expression,
    @JsonPropertyDescription("Alias of `display` of the tool.") @Nullable ToolDisplay display) {

  /// Names of the one image service that is known.
  static final List<String> IMAGE_PROVIDERS = List.of("dall-e", "openai");

  /// Usual environment variable of the key.
  public static final String IMAGE_KEY = "OPENAI_API_KEY";

  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration TIMEOUT_TO_THINK = Duration.ofSeconds(60);

  /// Without settings.
  public static final ToolExecution NONE =
      new ToolExecution(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null, null, null, null, null);

  /// The address under either of its names.
  public @Nullable String address() {
    return url == null ? webhookUrl : url;
  }

  /// True if the daemon computes the result itself, without a call.
  public boolean computes() {
    return value != null || expression != null;
  }

  /// True if the key of an image service is the one that its users keep in the environment. It is
  /// sent to the service's own address only.
  public boolean usesUsualKey() {
    boolean hasOwnKey =
        apiKey != null
            || (headers != null
                && headers.keySet().stream().anyMatch("Authorization"::equalsIgnoreCase));
    return provider != null && baseUrl == null && !hasOwnKey;
  }

  /// Timeout of the work.
  public Duration patience() {
    if (timeout != null) {
      return Duration.ofMillis(timeout);
    }
    return agentConfig == null ? DEFAULT_TIMEOUT : TIMEOUT_TO_THINK;
  }
}
