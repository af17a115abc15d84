package dev.substrat.space;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.fault.Fault;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.space.SpaceMessages.Post;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.AddressForm;
import dev.substrat.tool.Call;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Effect;
import dev.substrat.tool.Fence;
import dev.substrat.tool.ToolReply;

/// The tool `send_message`, to the space the agent is in.
final class SayHere implements AddressForm {
  private static final Schema INPUT = Schema.ofRecord(Input.class);
  private static final Schema OUTPUT = Schema.ofResult(Said.class);

  private final Database database;
  private final SpaceMessages messages;

  SayHere(Database database, SpaceMessages messages) {
    this.database = database;
    this.messages = messages;
  }

  /// What the agent says.
  public record Input(@JsonPropertyDescription("What to say.") String text) {}

  /// It is said, and where.
  record Said(String messageId, String spaceId, long seq) {}

  @Override
  public String name() {
    return "send_message";
  }

  @Override
  public String address() {
    return "";
  }

  @Override
  public String description() {
    return """
    Says something in the space you are in; enter_space takes you there. It returns at once; answers
    come to you like messages.\
    """;
  }

  @Override
  public Schema input() {
    return INPUT;
  }

  @Override
  public Schema output() {
    return OUTPUT;
  }

  @Override
  public Effect effect() {
    return Effect.DOES;
  }

  @Override
  public boolean isOneTransaction() {
    return true;
  }

  @Override
  public ToolReply call(Call call, ObjectNode arguments) {
    Input input = Json.as(arguments, Input.class);
    SpaceMessage said =
        database.transact(tx -> {
          Fence.require(tx, call.caller());
          // What was said before was said, wherever the agent is by now.
          return messages
              .findEarlier(tx, call, input.text())
              .orElseGet(() -> post(tx, call, input.text()));
        });
    var done = ToolReply.Done.with(new Said(said.id().value(), said.space(), said.seq()));
    return withHint(done, said);
  }

  private SpaceMessage post(Tx tx, Call call, String text) {
    return messages.post(tx, call, new Post(active(tx, call.caller()), text));
  }

  static ToolReply withHint(ToolReply.Done done, SpaceMessage said) {
    return said.heldReason() == null
        ? done
        : done.withHint(
            "It is said and can be read, but wakes nobody until a person lets it: "
                + said.heldReason()
                + ". Do not say it again.");
  }

  static String active(Tx tx, Caller caller) {
    return ActiveSpace.find(tx, caller)
        .orElseThrow(() ->
            new Fault(
                ErrorCode.NO_ACTIVE_SPACE,
                "you are in no space",
                "enter_space takes you into one"));
  }
}
