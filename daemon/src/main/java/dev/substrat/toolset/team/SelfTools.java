package dev.substrat.toolset.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.message.AgentMessages;
import dev.substrat.messaging.message.Messages;
import dev.substrat.messaging.message.OpenQuestions;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.team.AgentStateTable;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import dev.substrat.tool.TurnFence;
import dev.substrat.toolset.workspace.WorkReporter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools of an agent for itself: reminders, result, metadata.
public record SelfTools(
    Database database, Reminders reminders, Messages messages, WorkReporter workReports) {

  private static final Duration MAX_DURATION = Duration.ofDays(365);

  /// Text and time of a reminder.
  public record ReminderInput(
      @JsonPropertyDescription("Text of the reminder.") String text,
      @JsonProperty("in_seconds") @JsonPropertyDescription("Delay in seconds.") long inSeconds) {}

  /// A scheduled reminder.
  record ReminderResult(
      String status,
      @JsonProperty("reminder_id") String reminderId,
      @JsonProperty("due_at") Instant dueAt) {}

  /// A reminder, by its id.
  public record CancelReminderInput(
      @JsonProperty("reminder_id") @JsonPropertyDescription("Id that `remind_me` returned.")
          String reminderId) {}

  /// The result of an agent's work.
  public record CompleteInput(
      @JsonPropertyDescription("Your result.") String text,
      @JsonProperty("in_reply_to")
          @JsonPropertyDescription(
              "Question to answer (message_id). Default: [[turn|the question you"
                  + " are answering]][[external|the only question that you have not answered]].")
          @Nullable String inReplyTo) {}

  /// `answered` is the number of questions that the result answered, `answers` the question.
  /// Without one, `hint` says where the result was sent.
  record CompleteResult(
      String status,
      int answered,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String answers,
      @JsonProperty("waiting_for_you") @JsonInclude(JsonInclude.Include.NON_EMPTY)
          @Nullable List<OpenQuestions.WaitingSender> waitingForYou,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String hint) {}

  /// Metadata that the agent stores about itself.
  public record MetadataInput(
      @JsonPropertyDescription("Keys and values; they replace all stored metadata.")
          ObjectNode metadata) {}

  /// Confirmation.
  record StatusResult(String status) {}

  public List<Tool> tools() {
    return List.of(new MessageStatusTool(database, messages).tool(), complete());
  }

  /// Reminders and metadata.
  public List<Tool> control() {
    return List.of(remindMe(), cancelReminder(), setMetadata());
  }

  private Tool remindMe() {
    return SimpleTool.of(
            "remind_me",
            ToolEffect.DOES,
            ReminderInput.class,
            ReminderResult.class,
            """
            Send yourself a reminder. Use it instead of waiting. When it is due, it
            [[turn|starts a turn]][[external|will be in check_inbox]].\
            """,
            this::remind)
        .inOneTransaction();
  }

  private Tool cancelReminder() {
    return SimpleTool.of(
            "cancel_reminder",
            ToolEffect.ENDS,
            CancelReminderInput.class,
            StatusResult.class,
            "Cancel a reminder.",
            (call, input) -> {
              reminders.cancel(call, input.reminderId());
              return new StatusResult("cancelled");
            })
        .inOneTransaction();
  }

  private Tool complete() {
    AgentMessages agentMessages = messages.agentMessages();
    return SimpleTool.of(
            "complete",
            ToolEffect.DOES,
            CompleteInput.class,
            CompleteResult.class,
            """
            Report your result when your work is done. It answers the question that you were asked; without a
            question, it goes to your parent or the operator.[[turn| Make no further calls after it.]]\
            """,
            (call, input) -> {
              String named = input.inReplyTo();
              var done =
                  agentMessages.complete(
                      call, input.text(), named == null ? null : new MessageId(named));
              MessageId answers = done.answers();
              database.transact(tx -> {
                workReports.due(tx, call.caller().agent().id());
                return true;
              });
              return new CompleteResult(
                  "completed",
                  answers == null ? 0 : 1,
                  answers == null ? null : answers.value(),
                  done.waitingForYou(),
                  sentTo(done));
            })
        .inOneTransaction();
  }

  private static @Nullable String sentTo(AgentMessages.CompletionResult done) {
    if (done.heldReason() != null) {
      return "The message is held until a person releases it: "
          + done.heldReason()
          + ". Do not send it again.";
    }
    if (done.recipient() == null) {
      return null;
    }
    return done.recipient().equals(Principal.OPERATOR_NAME)
        ? "Sent to the operator's inbox."
        : "Sent to your parent " + done.recipient() + ".";
  }

  private Tool setMetadata() {
    return SimpleTool.of(
            "set_agent_metadata",
            ToolEffect.ENDS,
            MetadataInput.class,
            StatusResult.class,
            "Store metadata about yourself for people to read.",
            this::describe)
        .inOneTransaction();
  }

  private ReminderResult remind(ToolCall call, ReminderInput input) {
    if (input.inSeconds() < 1 || input.inSeconds() > MAX_DURATION.toSeconds()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/in_seconds must be between 1 and " + MAX_DURATION.toSeconds(),
          "for example 3600 for an hour");
    }
    var set = reminders.set(call, input.text(), Duration.ofSeconds(input.inSeconds()));
    return new ReminderResult("scheduled", set.id(), set.dueAt());
  }

  private StatusResult describe(ToolCall call, MetadataInput input) {
    String text = Json.text(input.metadata());
    if (text.length() > 8_000) {
      throw ErrorCode.INVALID_ARGUMENTS.fault("/metadata is too long", "store less metadata");
    }
    database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      AgentStateTable.setMetadata(tx, call.caller().agent().id(), text);
      return true;
    });
    return new StatusResult("set");
  }
}
