package dev.substrat.testkit.llm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A model request, independent of the dialect. `key` is the API key of the client, `raw` the
/// original request.
public record ModelPrompt(
    String dialect,
    String model,
    String system,
    List<PromptMessage> messages,
    List<OfferedTool> tools,
    boolean isStreamed,
    String key,
    JsonNode raw) {

  public ModelPrompt {
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
  }

  /// Author of a message.
  public enum MessageRole {
    USER,
    ASSISTANT
  }

  /// A text, tool calls, or tool results.
  public record PromptMessage(
      MessageRole role, String text, List<PromptToolCall> calls, List<PromptToolResult> results) {
    public PromptMessage {
      calls = List.copyOf(calls);
      results = List.copyOf(results);
    }

    static PromptMessage said(MessageRole role, String text) {
      return new PromptMessage(role, text, List.of(), List.of());
    }
  }

  /// A tool call; `arguments` is the text of the model, JSON or not.
  public record PromptToolCall(String id, String tool, String arguments) {}

  /// Result of a tool call.
  public record PromptToolResult(String callId, String text) {}

  /// A tool that the model may call, with the namespace some clients put it into.
  public record OfferedTool(@Nullable String namespace, String name, JsonNode schema) {
    String fullName() {
      return namespace == null ? name : namespace + "__" + name;
    }
  }

  /// Number of user messages. Texts that agent CLIs add by themselves and tool results do not
  /// count.
  public long userTurns() {
    return messages.stream()
        .filter(message -> message.role() == MessageRole.USER)
        .filter(message -> !InjectedTextDetector.strip(message.text()).isBlank())
        .count();
  }

  /// Messages since the last answer of the model.
  public String lastUserText() {
    return sinceLastAnswer().stream()
        .map(message -> InjectedTextDetector.strip(message.text()))
        .filter(text -> !text.isBlank())
        .reduce("", (before, text) -> before.isEmpty() ? text : before + "\n" + text);
  }

  /// Tool results since the model's last answer, in order; empty if a user message follows them.
  public List<PromptToolResult> newResults() {
    if (!lastUserText().isEmpty()) {
      return List.of();
    }
    return sinceLastAnswer().stream().flatMap(message -> message.results().stream()).toList();
  }

  /// All that tools gave back in this conversation.
  public List<PromptToolResult> toolResults() {
    return messages.stream().flatMap(message -> message.results().stream()).toList();
  }

  private List<PromptMessage> sinceLastAnswer() {
    int from = 0;
    for (int i = 0; i < messages.size(); i++) {
      if (messages.get(i).role() == MessageRole.ASSISTANT) {
        from = i + 1;
      }
    }
    return messages.subList(from, messages.size());
  }

  /// The tool that `name` means: clients add prefixes. A tool of Substrat is preferred, because
  /// some clients have built-in tools of the same name.
  public Optional<OfferedTool> tool(String name) {
    List<OfferedTool> fitting =
        tools.stream()
            .filter(tool -> tool.name().endsWith(name) || tool.fullName().endsWith(name))
            .toList();
    return fitting.stream()
        .filter(tool -> tool.fullName().contains("substrat"))
        .findFirst()
        .or(() -> fitting.stream().findFirst());
  }
}
