package dev.substrat.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.tool.transcript.ModelUsage;

/// Progress of a running turn, in the same form for all providers.
public sealed interface ProviderEvent {

  /// The provider has started or continued a conversation with this id.
  record SessionStarted(String id) implements ProviderEvent {}

  /// Status of the provider's connection to an MCP server.
  record McpServerStatus(String server, String status) implements ProviderEvent {}

  /// The program should run in a sandbox, but none is available here.
  record SandboxUnavailable(String reason) implements ProviderEvent {}

  /// Part of a text that is being written.
  record TextDelta(String text) implements ProviderEvent {}

  /// A complete text.
  record CompleteText(String text) implements ProviderEvent {}

  /// Reasoning of the model, as far as the provider shows it.
  record ReasoningText(String text) implements ProviderEvent {}

  /// Part of the arguments of a call that is being written.
  record ToolInputDelta(String callId, String tool, String delta) implements ProviderEvent {}

  /// A call has started, of an agent's tool or of the provider's own.
  record ToolStarted(String callId, String tool, JsonNode input) implements ProviderEvent {}

  /// Result of a call.
  record ToolFinished(String callId, String tool, boolean ok, String output)
      implements ProviderEvent {}

  /// Usage of a part of the turn. It counts only if no total is reported.
  record PartialUsage(ModelUsage usage) implements ProviderEvent {}

  /// Usage since the last report.
  record UsageTotal(ModelUsage usage) implements ProviderEvent {}

  /// The provider reports the end of the turn.
  record TurnEnded(boolean ok, String text) implements ProviderEvent {}

  /// Discards the text since the last complete text and the announced calls: the model starts
  /// again.
  record OutputDiscarded() implements ProviderEvent {}

  /// An event of an unknown type, unchanged.
  record UnknownEvent(String raw) implements ProviderEvent {}
}
