package dev.substrat.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.tool.transcript.ModelUsage;

/// Progress of a running turn, in the same form for all providers.
public sealed interface ProviderEvent {

  /// It has a conversation of its own, which can be gone on with under this id.
  record SessionStarted(String id) implements ProviderEvent {}

  /// What it says about its connection to an MCP server.
  record McpStatus(String server, String status) implements ProviderEvent {}

  /// The program should run in a sandbox, but none is available here.
  record Unsandboxed(String reason) implements ProviderEvent {}

  /// A piece of something it is saying.
  record TextDelta(String text) implements ProviderEvent {}

  /// Something it said, whole.
  record Text(String text) implements ProviderEvent {}

  /// What it thought before it said something, as far as it lets others know.
  record Thinking(String text) implements ProviderEvent {}

  /// A piece of the arguments of a call it is about to make.
  record ToolInputDelta(String callId, String tool, String delta) implements ProviderEvent {}

  /// A call it makes, of a tool of ours or of its own.
  record ToolStarted(String callId, String tool, JsonNode input) implements ProviderEvent {}

  /// What came of a call.
  record ToolFinished(String callId, String tool, boolean ok, String output)
      implements ProviderEvent {}

  /// What a part of its work has used, while it is still at it: a guide in case that it never comes
  /// to say what all of it did.
  record UsageSoFar(ModelUsage usage) implements ProviderEvent {}

  /// What it has used since it last said so.
  record UsageTotal(ModelUsage usage) implements ProviderEvent {}

  /// It has come to an end, by its own account.
  record TurnEnded(boolean ok, String text) implements ProviderEvent {}

  /// What it has said since it last said something whole does not count, nor do the calls it was
  /// about to make: it begins anew.
  record Withdrawn() implements ProviderEvent {}

  /// Something we have no word for, as it came.
  record Unknown(String raw) implements ProviderEvent {}
}
