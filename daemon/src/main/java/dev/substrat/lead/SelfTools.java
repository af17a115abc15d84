package dev.substrat.lead;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.fault.Fault;
import dev.substrat.id.MessageId;
import dev.substrat.json.Json;
import dev.substrat.message.AgentMail;
import dev.substrat.message.Message;
import dev.substrat.message.Messages;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.tool.Call;
import dev.substrat.tool.Effect;
import dev.substrat.tool.Fence;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.workspace.Harvest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools an agent manages itself with.
public final class SelfTools {
  private static final Duration LONGEST = Duration.ofDays(365);

  private final Database database;
  private final Reminders reminders;
  private final Messages messages;
  private final Harvest harvest;

  public SelfTools(Database database, Reminders reminders, Messages messages, Harvest harvest) {
    this.database = database;
    this.reminders = reminders;
    this.messages = messages;
    this.harvest = harvest;
  }

  /// What to be told, and when.
  public record Remind(
      @JsonPropertyDescription("What you want to be told.") String text,
      @JsonProperty("in_seconds") @JsonPropertyDescription("In how many seconds.")
          long inSeconds) {}

  /// A reminder that will come.
  record Scheduled(
      String status,
      @JsonProperty("reminder_id") String reminderId,
      @JsonProperty("due_at") Instant dueAt) {}

  /// A reminder, by its id.
  public record Cancel(
      @JsonProperty("reminder_id") @JsonPropertyDescription("Id that `remind_me` returned.")
          String reminderId) {}

  /// A message of the agent's own.
  public record Status(
      @JsonProperty("message_id")
          @JsonPropertyDescription("Id of a message that you sent or received.")
          String messageId) {}

  /// How far it has come, and why it went no further.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Progress(
      @JsonProperty("message_id") String messageId,
      String status,
      @Nullable String held,
      @Nullable String reason) {}

  /// The result of an agent's work.
  public record Complete(
      @JsonPropertyDescription("Your result, for the sender of the question or your parent.")
          String text,
      @JsonProperty("in_reply_to")
          @JsonPropertyDescription(
              "The message_id of the question it answers. Default: the question you are answering.")
          @Nullable String inReplyTo) {}

  /// `answered` is the number of questions that the result answered.
  record Completed(String status, int answered) {}

  /// Whatever the agent wants to have remembered about itself.
  public record Metadata(
      @JsonPropertyDescription("Keys and values. They replace all that is stored.")
          ObjectNode metadata) {}

  /// It was done.
  record Done(String status) {}

  public List<Tool> tools() {
    return List.of(remindMe(), cancelReminder(), messageStatus(), complete(), setMetadata());
  }

  private Tool remindMe() {
    return SimpleTool.of(
            "remind_me",
            Effect.DOES,
            Remind.class,
            Scheduled.class,
            """
            Wakes you later with a text of yours. Use it instead of waiting. It returns at once; when it
            is due, the reminder comes to you like a message.\
            """,
            this::remind)
        .inOneTransaction();
  }

  private Tool cancelReminder() {
    return SimpleTool.of(
            "cancel_reminder",
            Effect.ENDS,
            Cancel.class,
            Done.class,
            "Cancels a reminder you set.",
            (call, input) -> {
              reminders.cancel(call, input.reminderId());
              return new Done("cancelled");
            })
        .inOneTransaction();
  }

  private Tool messageStatus() {
    return SimpleTool.of(
        "message_status",
        Effect.LOOKS,
        Status.class,
        Progress.class,
        "Tells how far a message of yours has come, and why it went no further.",
        this::status);
  }

  private Tool complete() {
    AgentMail mail = messages.ofAgents();
    return SimpleTool.of(
            "complete",
            Effect.DOES,
            Complete.class,
            Completed.class,
            """
            Reports your result when your work is done. The result answers the question you are answering; if
            there is none, it is sent to your parent. Make no further calls after it.\
            """,
            (call, input) -> {
              String named = input.inReplyTo();
              int answered =
                  mail.complete(call, input.text(), named == null ? null : new MessageId(named));
              database.transact(tx -> {
                harvest.due(tx, call.caller().agent().id());
                return true;
              });
              return new Completed("completed", answered);
            })
        .inOneTransaction();
  }

  private Tool setMetadata() {
    return SimpleTool.of(
            "set_agent_metadata",
            Effect.ENDS,
            Metadata.class,
            Done.class,
            "Keeps a few facts about you where people see them. It replaces what was there.",
            this::describe)
        .inOneTransaction();
  }

  private Scheduled remind(Call call, Remind input) {
    if (input.inSeconds() < 1 || input.inSeconds() > LONGEST.toSeconds()) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "/in_seconds must be between 1 and " + LONGEST.toSeconds(),
          "for example 3600 for an hour");
    }
    var set = reminders.set(call, input.text(), Duration.ofSeconds(input.inSeconds()));
    return new Scheduled("scheduled", set.id(), set.dueAt());
  }

  private Progress status(Call call, Status input) {
    String self = call.caller().agent().id().value();
    // Somebody else's message looks like one that does not exist.
    Message message =
        messages
            .find(new MessageId(input.messageId()))
            .filter(found -> found.sender().equals(self))
            .orElseThrow(() ->
                new Fault(
                    ErrorCode.MESSAGE_NOT_FOUND,
                    "you sent no such message",
                    "check the message_id"));
    return new Progress(
        message.id().value(),
        message.status().toString(),
        message.heldReason(),
        message.deadReason());
  }

  private Done describe(Call call, Metadata input) {
    String text = Json.text(input.metadata());
    if (text.length() > 8_000) {
      throw new Fault(ErrorCode.INVALID_ARGUMENTS, "/metadata is too long", "keep a few facts");
    }
    database.transact(tx -> {
      Fence.require(tx, call.caller());
      return tx.update(
          "update agent set metadata = ? where id = ?", text, call.caller().agent().id().value());
    });
    return new Done("set");
  }
}
