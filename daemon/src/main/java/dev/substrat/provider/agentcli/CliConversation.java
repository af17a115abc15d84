package dev.substrat.provider.agentcli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.tool.transcript.ModelUsage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Stored state of an agent's conversation with its CLI: session id, and the usage reported last.
public record CliConversation(@Nullable String session, ModelUsage used) {
  static final CliConversation NEW = new CliConversation(null, ModelUsage.NONE);

  public static CliConversation of(ProviderTurn turn) {
    return turn.storedState().map(CliConversation::parse).orElse(NEW);
  }

  private static CliConversation parse(String kept) {
    JsonNode json = Json.own(kept);
    return new CliConversation(
        json.path("session").asText(),
        new ModelUsage(
            json.path("inputTokens").asLong(),
            json.path("outputTokens").asLong(),
            json.path("costMicros").asLong()));
  }

  void keep(ProviderTurn turn) {
    if (session != null) {
      turn.storeState(
          Json.text(
              Json.object()
                  .put("session", session)
                  .put("inputTokens", used.inputTokens())
                  .put("outputTokens", used.outputTokens())
                  .put("costMicros", used.costMicros())));
    }
  }

  /// The same under this id; a conversation with another id has used nothing yet.
  CliConversation called(String id) {
    return id.equals(session) ? this : new CliConversation(id, ModelUsage.NONE);
  }

  CliConversation having(ModelUsage reported) {
    return new CliConversation(session, reported);
  }

  /// The same with additional usage that was not reported.
  CliConversation after(ModelUsage more) {
    return having(
        new ModelUsage(
            used.inputTokens() + more.inputTokens(),
            used.outputTokens() + more.outputTokens(),
            used.costMicros() + more.costMicros()));
  }

  /// The usage since then.
  ModelUsage since(ModelUsage reported, AgentCli.UsageCounting counting) {
    return switch (counting) {
      case OF_TURN -> reported;
      case OF_CONVERSATION ->
          new ModelUsage(
              grown(used.inputTokens(), reported.inputTokens()),
              grown(used.outputTokens(), reported.outputTokens()),
              grown(used.costMicros(), reported.costMicros()));
      case COST_OF_CONVERSATION ->
          new ModelUsage(
              reported.inputTokens(),
              reported.outputTokens(),
              grown(used.costMicros(), reported.costMicros()));
    };
  }

  /// If the total has become smaller, the CLI has restarted its count.
  private static long grown(long before, long now) {
    return now >= before ? now - before : now;
  }

  Optional<String> id() {
    return Optional.ofNullable(session);
  }
}
