package dev.substrat.provider.llm.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Assembles calls whose arguments arrive in pieces, possibly several at a time. Belongs to one
/// reader.
final class StreamedCallAssembler {
  private final ReplyListener hearing;
  private final List<PartialCall> calls = new ArrayList<>();

  StreamedCallAssembler(ReplyListener hearing) {
    this.hearing = hearing;
  }

  private record PartialCall(int index, String id, String tool, StringBuilder arguments) {}

  /// Starts a call. Some APIs send no id.
  void begin(int index, @Nullable String id, String tool) {
    String known = id == null || id.isEmpty() ? "call_" + UUID.randomUUID() : id;
    calls.add(new PartialCall(index, known, tool, new StringBuilder()));
  }

  /// Whether the piece with this index and id continues a started call. Some APIs give every call
  /// the index 0, but a different id.
  boolean isUnderWay(int index, @Nullable String id) {
    return calls.stream()
        .anyMatch(call -> call.index() == index && (id == null || call.id().equals(id)));
  }

  void append(int index, String delta) {
    if (delta.isEmpty()) {
      return;
    }
    for (PartialCall call : calls.reversed()) {
      if (call.index() == index) {
        call.arguments().append(delta);
        hearing.arguments(call.id(), call.tool(), delta);
        return;
      }
    }
  }

  List<ConversationEntry.RequestedCall> whole() {
    return calls.stream()
        .map(call ->
            new ConversationEntry.RequestedCall(
                call.id(), call.tool(), orEmpty(call.arguments().toString())))
        .toList();
  }

  /// Empty arguments become an empty object.
  private static String orEmpty(String arguments) {
    return arguments.isBlank() ? "{}" : arguments;
  }
}
