package dev.substrat.server.api.spaces;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.space.Membership;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.UnpostedText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Spaces, members and messages in API responses.
public final class SpaceView {
  private SpaceView() {}

  /// A space in a list; `unread` is the caller's number of unread messages.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record SpaceSummary(
      String id,
      String name,
      String kind,
      String topic,
      String wakePolicy,
      @Nullable Integer maxChainDepth,
      long lastSeq,
      long unread,
      int memberCount,
      Instant createdAt) {

    static SpaceSummary of(Space space, long unread, int memberCount) {
      return new SpaceSummary(
          space.id(),
          space.name(),
          space.kind().toString(),
          space.topic(),
          space.wakePolicy().toString(),
          space.maxChainDepth(),
          space.lastSeq(),
          unread,
          memberCount,
          space.createdAt());
    }
  }

  /// A member of a space. `handle` is its handle, `name` its display name.
  record ParticipantView(
      String handle, String name, String kind, Instant joinedAt, long lastReadSeq) {

    static ParticipantView of(Membership membership, String name) {
      return new ParticipantView(
          membership.handle(),
          name,
          kindOf(membership.member()),
          membership.joinedAt(),
          membership.lastReadSeq());
    }
  }

  /// A message in a space; `held` is why it wakes no agents, if it is held.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record SpaceMessageView(
      String id,
      String spaceId,
      long seq,
      String author,
      String authorKind,
      String text,
      String kind,
      String status,
      @Nullable String parentId,
      List<ReactionView> reactions,
      @Nullable JsonNode metadata,
      @Nullable String runId,
      @Nullable String held,
      Instant createdAt) {

    static SpaceMessageView of(SpaceMessage message) {
      return new SpaceMessageView(
          message.id().value(),
          message.space(),
          message.seq(),
          message.authorHandle(),
          kindOf(message.author()),
          message.text(),
          message.kind().toString(),
          message.status().toString(),
          message.parent() == null ? null : message.parent().value(),
          reactionsOf(message),
          message.metadata(),
          message.run() == null ? null : message.run().value(),
          message.heldReason(),
          message.at());
    }
  }

  /// The final text of a turn that finished without posting; it belongs after message `afterSeq`.
  record UnpostedTextView(String runId, String agent, String text, long afterSeq, Instant endedAt) {

    static UnpostedTextView of(UnpostedText text) {
      return new UnpostedTextView(
          text.run().value(), text.agent(), text.text(), text.afterSeq(), text.at());
    }
  }

  /// A reaction to a message.
  record ReactionView(String emoji, String author) {}

  static List<ReactionView> reactionsOf(SpaceMessage message) {
    return message.reactions().stream()
        .map(reaction -> new ReactionView(reaction.emoji(), reaction.authorHandle()))
        .toList();
  }

  static List<SpaceMessageView> said(List<SpaceMessage> messages) {
    return messages.stream().map(SpaceMessageView::of).toList();
  }

  private static String kindOf(SpaceMember member) {
    if (member.isOperator()) {
      return "operator";
    }
    return member.isPerson() ? "person" : member.isAgent() ? "agent" : "system";
  }
}
