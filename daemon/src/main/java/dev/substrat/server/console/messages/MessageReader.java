package dev.substrat.server.console.messages;

import dev.substrat.console.NumberFormatter;
import dev.substrat.console.RichText;
import dev.substrat.console.TextPreview;
import dev.substrat.console.messages.MessagePage.DeliveryStep;
import dev.substrat.console.messages.MessageRow;
import dev.substrat.console.messages.MessageRow.DeliveryStage;
import dev.substrat.messaging.message.DeadLetters;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.platform.identity.Principal;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.server.console.approvals.QuestionReader;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Converts messages to rows and delivery steps of a page.
public final class MessageReader {
  private static final List<MessageStatus> ON_THE_WAY =
      List.of(
          MessageStatus.STORED,
          MessageStatus.CLAIMED,
          MessageStatus.INJECTED,
          MessageStatus.READ,
          MessageStatus.REPLIED);

  private static final Pattern MESSAGE_ID = Pattern.compile(" \\(to message [0-9a-f-]{36}\\)");

  private final Tx tx;
  private final DisplayNames faces;

  MessageReader(Tx tx, Principal viewer) {
    this.tx = tx;
    this.faces = new DisplayNames(tx, viewer);
  }

  /// A row with at most `most` characters of the text.
  MessageRow row(Message message, int most) {
    var beginning = TextPreview.of(words(message), most);
    boolean isHeld = message.heldReason() != null;
    return new MessageRow(
        message.id().value(),
        faces.of(message.sender()),
        faces.of(message.recipient()),
        message.kind().toString(),
        message.sync(),
        RichText.of(beginning.marked()),
        beginning.isCut(),
        QuestionReader.line(beginning.text()),
        message.sentAt(),
        isHeld
            ? new DeliveryStage("held", "wait", "Held by a guard until you release it")
            : stage(message),
        trouble(message),
        isUnread(message),
        isHeld,
        DeadLetters.canRetry(tx, message));
  }

  /// Removes the message id from notices: it is for agents, and the page has a link.
  private static String words(Message message) {
    return message.kind() == Message.MessageKind.NOTICE
        ? MESSAGE_ID.matcher(message.text()).replaceFirst("")
        : message.text();
  }

  public static boolean isUnread(Message message) {
    return isToOperator(message) && !has(message, MessageStatus.READ);
  }

  private static boolean isToOperator(Message message) {
    return message.recipient().equals(Principal.OPERATOR_NAME);
  }

  private static boolean has(Message message, MessageStatus status) {
    return message.history().stream().anyMatch(step -> step.status() == status);
  }

  private static String trouble(Message message) {
    String reason = message.heldReason() == null ? message.deadReason() : message.heldReason();
    return reason == null ? "" : reason;
  }

  private static DeliveryStage stage(Message message) {
    MessageStatus status = message.status();
    String tone =
        switch (status) {
          case STORED -> "";
          case CLAIMED, INJECTED -> "busy";
          case READ, REPLIED -> "good";
          case EXPIRED, DEAD -> "bad";
        };
    boolean isUnread = status == MessageStatus.STORED && isToOperator(message);
    return new DeliveryStage(
        isUnread ? "unread" : status.toString(), tone, meaning(status, isToOperator(message)));
  }

  private static String meaning(MessageStatus status, boolean isToOperator) {
    return switch (status) {
      case STORED -> isToOperator ? "In your inbox" : "Stored, waits for a turn";
      case CLAIMED -> "Claimed by a turn";
      case INJECTED -> "Included in a turn of the agent";
      case READ -> isToOperator ? "Read by you" : "The turn succeeded";
      case REPLIED -> "Answered";
      case EXPIRED -> "No reply before the deadline";
      case DEAD -> "Could not be delivered";
    };
  }

  /// Past and expected delivery steps.
  static List<DeliveryStep> steps(Message message) {
    var way = new ArrayList<DeliveryStep>();
    boolean isOver = !message.isOpen() && message.status() != MessageStatus.READ;
    @Nullable Instant before = null;
    for (MessageStatus status : expected(message)) {
      @Nullable Instant at = at(message, status);
      if (at == null && isOver) {
        continue;
      }
      boolean isLost = status == MessageStatus.DEAD || status == MessageStatus.EXPIRED;
      String took =
          at == null || before == null
              ? ""
              : NumberFormatter.time(Duration.between(before, at).abs());
      way.add(
          new DeliveryStep(
              status.toString(),
              meaning(status, isToOperator(message)),
              at,
              took,
              isLost ? "bad" : "good"));
      before = at == null ? before : at;
    }
    return way;
  }

  private static List<MessageStatus> expected(Message message) {
    return Stream.concat(
            ON_THE_WAY.stream()
                .filter(status -> !isToOperator(message) || !isForTurns(status))
                .filter(status ->
                    status != MessageStatus.REPLIED || message.sync() || has(message, status)),
            Stream.of(MessageStatus.EXPIRED, MessageStatus.DEAD)
                .filter(status -> has(message, status)))
        .toList();
  }

  private static boolean isForTurns(MessageStatus status) {
    return status == MessageStatus.CLAIMED || status == MessageStatus.INJECTED;
  }

  private static @Nullable Instant at(Message message, MessageStatus status) {
    return message.history().stream()
        .filter(step -> step.status() == status)
        .map(Message.StatusChange::at)
        .findFirst()
        .orElse(null);
  }
}
