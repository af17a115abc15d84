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
    List<Message> messages,
    List<Offered> tools,
    boolean isStreamed,
    String key,
    JsonNode raw) {

  public ModelPrompt {
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
  }

  /// Who said something.
  public enum Role {
    USER,
    ASSISTANT
  }

  /// Something that was said, or called, or came back.
  public record Message(Role role, String text, List<Call> calls, List<Result> results) {
    public Message {
      calls = List.copyOf(calls);
      results = List.copyOf(results);
    }

    static Message said(Role role, String text) {
      return new Message(role, text, List.of(), List.of());
    }
  }

  /// A call of a tool; `arguments` is what the model wrote, JSON or not.
  public record Call(String id, String tool, String arguments) {}

  /// What a call gave back.
  public record Result(String callId, String text) {}

  /// A tool that the model may call, with the namespace some clients put it into.
  public record Offered(@Nullable String namespace, String name, JsonNode schema) {
    String fullName() {
      return namespace == null ? name : namespace + "__" + name;
    }
  }

  /// How often a person or a daemon has spoken. What agent CLIs put there by themselves does not
  /// count, nor does what tools gave back.
  public long userTurns() {
    return messages.stream()
        .filter(message -> message.role() == Role.USER)
        .filter(message -> !InjectedText.strip(message.text()).isBlank())
        .count();
  }

  /// What the model has to answer: all that was said since it last spoke.
  public String lastUserText() {
    return sinceLastAnswer().stream()
        .map(message -> InjectedText.strip(message.text()))
        .filter(text -> !text.isBlank())
        .reduce("", (before, text) -> before.isEmpty() ? text : before + "\n" + text);
  }

  /// Tool results since the model's last answer, in order; empty if a user message follows them.
  public List<Result> newResults() {
    if (!lastUserText().isEmpty()) {
      return List.of();
    }
    return sinceLastAnswer().stream().flatMap(message -> message.results().stream()).toList();
  }

  /// All that tools gave back in this conversation.
  public List<Result> toolResults() {
    return messages.stream().flatMap(message -> message.results().stream()).toList();
  }

  private List<Message> sinceLastAnswer() {
    int from = 0;
    for (int i = 0; i < messages.size(); i++) {
      if (messages.get(i).role() == Role.ASSISTANT) {
        from = i + 1;
      }
    }
    return messages.subList(from, messages.size());
  }

  /// The tool that `name` means: clients put their own words around it. One of a Substrat is
  /// preferred, because some clients have tools of the same name themselves.
  public Optional<Offered> tool(String name) {
    List<Offered> fitting =
        tools.stream()
            .filter(tool -> tool.name().endsWith(name) || tool.fullName().endsWith(name))
            .toList();
    return fitting.stream()
        .filter(tool -> tool.fullName().contains("substrat"))
        .findFirst()
        .or(() -> fitting.stream().findFirst());
  }
}
