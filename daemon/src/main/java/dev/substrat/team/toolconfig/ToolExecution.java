package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a configured tool needs for its work. Which keys count depends on what it does: it calls an
/// address, lets a sub-agent think, makes an image, computes the answer, or waits for somebody.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ToolExecution(
    @JsonPropertyDescription("The address that is called; ${env.X} and {{input.a}} are filled in.")
        @Nullable String url,
    @JsonPropertyDescription("The same as url.") @Nullable String webhookUrl,
    @JsonPropertyDescription("GET (default of gateway and internal), POST (of external), ...")
        @Nullable String method,
    @Nullable Map<String, String> headers,
    @JsonPropertyDescription("Added to the address; what is missing in the input is left out.")
        @Nullable Map<String, JsonNode> queryParams,
    @JsonPropertyDescription("JSON or text; without it, what is not sent by GET has the input.")
        @Nullable JsonNode body,
    @JsonPropertyDescription("Milliseconds until it is given up; of a question: until it expires.")
        @Nullable Long timeout,
    @JsonPropertyDescription(
            "Seconds until a call becomes pending, 0 to 50; default 4 in a turn, 30 for external agents.")
        @Nullable Integer inlineSeconds,
    @JsonPropertyDescription("A sub-agent that thinks about the input and answers.")
        @Nullable ObjectNode agentConfig,
    @JsonPropertyDescription("true: the sub-agent is shown what its caller was shown.")
        @Nullable Boolean includeContext,
    @JsonPropertyDescription("Makes images: openai or dall-e, which is the same service.")
        @Nullable String provider,
    @Nullable String model,
    @Nullable String size,
    @Nullable String quality,
    @JsonPropertyDescription("Where the image service is, if not at its usual address.")
        @Nullable String baseUrl,
    @JsonPropertyDescription(
            "Its key, as ${env.X}; OPENAI_API_KEY without it, unless baseUrl is set.")
        @Nullable String apiKey,
    @JsonPropertyDescription(
            "For external: the service takes the call and brings the result later.")
        @Nullable Boolean callback,
    @JsonPropertyDescription("For internal: the answer itself; {{input.a}} is filled in.")
        @Nullable JsonNode value,
    @JsonPropertyDescription(
            "For internal and gateway: a CEL expression over the variable input; its value is the result.")
        @Nullable String expression,
    @JsonPropertyDescription("The same as display of the tool.") @Nullable ToolDisplay display) {

  /// Names of the one image service that is known.
  static final List<String> IMAGE_PROVIDERS = List.of("dall-e", "openai");

  /// Where its users keep their key.
  public static final String IMAGE_KEY = "OPENAI_API_KEY";

  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration TIMEOUT_TO_THINK = Duration.ofSeconds(60);

  /// One that needs nothing.
  public static final ToolExecution NONE =
      new ToolExecution(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null, null, null, null, null);

  /// The address under either of its names.
  public @Nullable String address() {
    return url == null ? webhookUrl : url;
  }

  /// True if the daemon knows the result by itself, at once, without calling anybody.
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

  /// How long the work may take, if it is done at once.
  public Duration patience() {
    if (timeout != null) {
      return Duration.ofMillis(timeout);
    }
    return agentConfig == null ? DEFAULT_TIMEOUT : TIMEOUT_TO_THINK;
  }
}
