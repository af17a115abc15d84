package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.http.client.OutgoingFailure;
import dev.substrat.http.client.OutgoingRequest;
import dev.substrat.http.client.OutgoingResponse;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.team.toolconfig.PlaceholderFiller;
import dev.substrat.team.toolconfig.ToolExecution;
import dev.substrat.team.toolconfig.UsedSecrets;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/// Executes a tool that generates an image, with any service that implements OpenAI's API. The
/// image is stored, and the result contains its URL.
record ImageToolExecutor(
    GuardedHttpClient outgoing,
    AllowedEnvironment environment,
    ToolExecution execution,
    Attachments attachments)
    implements ToolExecutor {
  private static final String USUAL = "https://api.openai.com/v1";

  /// A large picture, in JSON.
  private static final long MAX_BYTES = 16_000_000;

  @Override
  public ToolResult run(ToolCall call, ObjectNode arguments) {
    var secrets = new UsedSecrets();
    long start = System.nanoTime();
    try {
      OutgoingRequest request = request(arguments, secrets);
      OutgoingResponse reply = call.interest().during(() -> outgoing.send(request));
      if (reply.status() / 100 != 2) {
        return failed("the image service responded with status " + reply.status())
            .with("status", Json.tree(reply.status()));
      }
      return made(call, text(reply), secrets, start);
    } catch (OutgoingFailure failure) {
      Fault fault = failure.fault();
      return ToolResult.Failed.because(
          new Fault(fault.code(), secrets.redact(fault.message()), secrets.redact(fault.hint())));
    }
  }

  private OutgoingRequest request(ObjectNode arguments, UsedSecrets secrets) {
    var filling = new PlaceholderFiller(environment, arguments, secrets);
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", "application/json");
    if (execution.apiKey() != null) {
      headers.put("Authorization", "Bearer " + filling.text(execution.apiKey()));
    } else if (execution.usesUsualKey()) {
      headers.put("Authorization", "Bearer " + usualKey(secrets));
    }
    if (execution.headers() != null) {
      headers.putAll(filling.texts(execution.headers()));
    }
    String base = execution.baseUrl() == null ? USUAL : filling.text(execution.baseUrl());
    return new OutgoingRequest(
        "POST",
        base.replaceFirst("/+$", "") + "/images/generations",
        headers,
        Json.text(body(arguments)),
        execution.patience(),
        MAX_BYTES);
  }

  private String usualKey(UsedSecrets secrets) {
    String key =
        environment
            .findAllowed(ToolExecution.IMAGE_KEY)
            .orElseThrow(() ->
                ErrorCode.INVALID_CONFIG.fault(
                    "no API key is configured for the image service " + execution.provider(),
                    ("an administrator sets %1$s and starts the daemon with --allow-env %1$s, "
                            + "or configures apiKey")
                        .formatted(ToolExecution.IMAGE_KEY)));
    secrets.add(key);
    return key;
  }

  private ObjectNode body(ObjectNode arguments) {
    JsonNode prompt = arguments.path("prompt");
    var body =
        Json.object()
            .put("prompt", prompt.isTextual() ? prompt.asText() : Json.text(arguments))
            .put("n", 1);
    if (execution.model() != null) {
      body.put("model", execution.model());
      if (execution.model().startsWith("dall-e")) {
        // Other models always return base64 and reject the parameter.
        body.put("response_format", "b64_json");
      }
    }
    if (execution.size() != null) {
      body.put("size", execution.size());
    }
    if (execution.quality() != null) {
      body.put("quality", execution.quality());
    }
    return body;
  }

  private ToolResult made(ToolCall call, String text, UsedSecrets secrets, long start) {
    JsonNode image = parsed(text).at("/data/0");
    byte[] content;
    if (image.path("b64_json").isTextual()) {
      content = decoded(image.path("b64_json").asText());
    } else if (image.path("url").isTextual()) {
      content = fetched(call, image.path("url").asText(), start);
    } else {
      return failed("the response of the image service contains no image");
    }
    String type = mediaType(content);
    if (type.isEmpty()) {
      return failed("the image service returned data that is not an image");
    }
    String id = attachments.store(call.caller(), type, content);
    var result =
        Json.object()
            .put("attachmentId", id)
            .put("url", "/api/attachments/" + id)
            .put("mediaType", type)
            .put("bytes", content.length);
    if (image.path("revised_prompt").isTextual()) {
      result.put("revisedPrompt", secrets.redact(image.path("revised_prompt").asText()));
    }
    return new ToolResult.Done(result);
  }

  private static JsonNode parsed(String text) {
    try {
      return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (Fault e) {
      return Json.object();
    }
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getMimeDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      // No image begins with nothing.
      return new byte[0];
    }
  }

  /// Without the API key: the service chooses this URL.
  private byte[] fetched(ToolCall call, String url, long start) {
    var request = new OutgoingRequest("GET", url, Map.of(), "", execution.patience(), MAX_BYTES);
    return call.interest().during(() -> outgoing.send(request.again(start))).body();
  }

  private static String text(OutgoingResponse reply) {
    return new String(reply.body(), StandardCharsets.UTF_8);
  }

  /// Detected from the first bytes, so that the stored type is correct.
  private static String mediaType(byte[] content) {
    String start =
        new String(content, 0, Math.min(12, content.length), StandardCharsets.ISO_8859_1);
    if (start.startsWith("\u0089PNG")) {
      return "image/png";
    }
    if (start.startsWith("\u00ff\u00d8\u00ff")) {
      return "image/jpeg";
    }
    if (start.startsWith("RIFF") && start.endsWith("WEBP")) {
      return "image/webp";
    }
    return start.startsWith("GIF8") ? "image/gif" : "";
  }

  private static ToolResult.Failed failed(String message) {
    return ToolResult.Failed.because(
        ErrorCode.UPSTREAM_ERROR.fault(message, "try again later, or continue without an image"));
  }
}
