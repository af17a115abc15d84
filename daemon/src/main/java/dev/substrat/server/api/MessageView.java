package dev.substrat.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.substrat.messaging.message.Message;
import dev.substrat.platform.identity.Principal;
import dev.substrat.space.wakeup.HeldMessages;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One message in a list. `held` is why a guard holds it, `reason` why it is dead or expired. A
/// message in a space has `space`, `seq` and the `agents` that it does not wake.
@JsonInclude(JsonInclude.Include.NON_NULL)
record MessageView(
    @JsonProperty("message_id") String id,
    String kind,
    String from,
    String to,
    String text,
    String status,
    boolean read,
    Instant at,
    @JsonProperty("in_reply_to") @Nullable String inReplyTo,
    @Nullable String held,
    @Nullable String reason,
    @Nullable String space,
    @Nullable Long seq,
    @Nullable List<String> agents) {

  static final String SPACE_MESSAGE = "space_message";

  static MessageView of(Tx tx, Message message) {
    return new MessageView(
        message.id().value(),
        message.kind().toString(),
        name(tx, message.sender()),
        name(tx, message.recipient()),
        message.text(),
        message.status().toString(),
        message.history().stream().anyMatch(step -> step.status() == Message.MessageStatus.READ),
        message.sentAt(),
        message.inReplyTo() == null ? null : message.inReplyTo().value(),
        message.heldReason(),
        message.deadReason(),
        null,
        null,
        null);
  }

  /// A message in a space is stored and can be read there; it only wakes no agent.
  static MessageView of(HeldMessages.HeldMessage held) {
    return new MessageView(
        held.id().value(),
        SPACE_MESSAGE,
        held.author(),
        held.space(),
        held.text(),
        Message.MessageStatus.STORED.toString(),
        false,
        held.at(),
        null,
        held.reason(),
        null,
        held.space(),
        held.seq(),
        held.agents());
  }

  /// An agent's handle, or the name of another sender or recipient.
  static String name(Tx tx, String principal) {
    return principal.equals(Principal.OPERATOR_NAME)
        ? principal
        : AgentTree.find(tx, principal).map(Agent::handle).orElse(principal);
  }
}
