package dev.substrat.space.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.space.MemberTable;
import dev.substrat.space.Membership;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceAccess;
import dev.substrat.space.SpaceHistory;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import dev.substrat.tool.Toolset;
import dev.substrat.tool.TurnFence;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The toolset `spaces`: enter a space, post, read, leave.
public final class SpaceTools {
  private static final int SHOWN_ON_ENTERING = 20;
  private static final int SHOWN_AT_ONCE = 50;

  private final Database database;
  private final Spaces spaces;
  private final SpaceHistory history;
  private final Function<Agent, List<Tool>> tools;

  /// `tools` returns the tools of an agent.
  public SpaceTools(Database database, Spaces spaces, Function<Agent, List<Tool>> tools) {
    this.database = database;
    this.tools = tools;
    this.spaces = spaces;
    this.history = spaces.history();
  }

  /// A space, by its id.
  public record EnterSpaceInput(
      @JsonPropertyDescription("Id of the space, such as general.") String spaceId) {}

  /// The space that was entered, its members and latest messages. `visibleTools` are the agent's
  /// tools whose calls and results are posted there.
  record EnterSpaceResult(
      SpaceSummary space,
      List<String> members,
      List<MessageSummary> messages,
      boolean hasMore,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable List<String> visibleTools) {}

  /// A space in a result.
  record SpaceSummary(String id, String name, String kind, String topic) {
    static SpaceSummary of(Space space) {
      return new SpaceSummary(space.id(), space.name(), space.kind().toString(), space.topic());
    }
  }

  /// Confirmation of leaving.
  record LeaveSpaceResult(String status) {}

  /// Page of a history.
  public record ReadMessagesInput(
      @JsonPropertyDescription("Id of the space. Default: your active space.")
          @Nullable String spaceId,
      @JsonProperty(defaultValue = "0")
          @JsonPropertyDescription("Number of newest messages to skip.")
          @Nullable Integer offset,
      @JsonProperty(defaultValue = "50")
          @JsonPropertyDescription("Maximum number of messages, up to 200.")
          @Nullable Integer limit) {}

  /// Messages, oldest first; `total` is their number in the space.
  record ReadMessagesResult(
      String spaceId, List<MessageSummary> messages, long total, boolean hasMore) {}

  /// One message.
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record MessageSummary(
      String id,
      long seq,
      String author,
      String text,
      String kind,
      String at,
      @Nullable String parentId,
      @Nullable List<String> reactions) {

    static MessageSummary of(SpaceMessage message) {
      return new MessageSummary(
          message.id().value(),
          message.seq(),
          message.authorHandle(),
          message.text(),
          message.kind().toString(),
          message.at().toString(),
          message.parent() == null ? null : message.parent().value(),
          message.reactions().stream().map(one -> one.emoji() + " " + one.authorHandle()).toList());
    }
  }

  public Toolset toolset() {
    return new Toolset(
        "spaces",
        List.of(
            enterSpace(),
            leaveSpace(),
            new SendToActiveSpaceTool(database, spaces.messages()),
            readMessages(),
            new ListSpacesTool(database).tool(),
            ChannelTools.reactToMessage(spaces.messages())));
  }

  private Tool enterSpace() {
    return SimpleTool.of(
        "enter_space",
        ToolEffect.SETS,
        EnterSpaceInput.class,
        EnterSpaceResult.class,
        """
        Make a space your active space, [[turn|also for later turns]][[external|until you leave it]]:
        send_message without an address posts there, but fails while someone waits for your answer.
        Returns the space's members and newest messages. You become a member of a public space.\
        """,
        this::enter);
  }

  private EnterSpaceResult enter(ToolCall call, EnterSpaceInput input) {
    List<String> visible =
        tools.apply(call.caller().agent()).stream().filter(Tool::isShown).map(Tool::name).toList();
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      SpaceMember self = SpaceMember.of(call.caller().agent());
      Space space = SpaceAccess.require(tx, input.spaceId(), self);
      if (space.kind() == Space.SpaceKind.PUBLIC) {
        spaces.join(tx, space, self);
      }
      spaces.enter(tx, call.caller(), space);
      var page = page(tx, space, self, 0, SHOWN_ON_ENTERING);
      return new EnterSpaceResult(
          SpaceSummary.of(space),
          MemberTable.of(tx, space.id()).stream().map(Membership::handle).toList(),
          page.messages().stream().map(MessageSummary::of).toList(),
          page.hasMore(),
          visible);
    });
  }

  private Tool leaveSpace() {
    return SimpleTool.of(
        "leave_space",
        ToolEffect.SETS,
        SimpleTool.NoInput.class,
        LeaveSpaceResult.class,
        """
        Clear your active space. You stay a member.\
        """,
        this::leave);
  }

  private LeaveSpaceResult leave(ToolCall call, SimpleTool.NoInput input) {
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      spaces.leaveActive(tx, call.caller());
      return new LeaveSpaceResult("left");
    });
  }

  private Tool readMessages() {
    return SimpleTool.of(
        "read_messages",
        ToolEffect.SETS,
        ReadMessagesInput.class,
        ReadMessagesResult.class,
        """
        Read messages of a space, oldest first, and mark them as read. Use offset for older messages. Never call it to wait for an answer: new messages [[turn|start turns]][[external|will be in check_inbox]].\
        """,
        this::read);
  }

  private ReadMessagesResult read(ToolCall call, ReadMessagesInput input) {
    int offset = input.offset() == null ? 0 : input.offset();
    int limit = input.limit() == null ? SHOWN_AT_ONCE : input.limit();
    if (offset < 0) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/offset must be 0 or more", "0 begins with the newest");
    }
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      Agent agent = call.caller().agent();
      String id =
          input.spaceId() == null
              ? SendToActiveSpaceTool.active(tx, call.caller())
              : input.spaceId();
      Space space = SpaceAccess.require(tx, id, SpaceMember.of(agent));
      var page = page(tx, space, SpaceMember.of(agent), offset, limit);
      return new ReadMessagesResult(
          space.id(),
          page.messages().stream().map(MessageSummary::of).toList(),
          space.lastSeq(),
          page.hasMore());
    });
  }

  /// Messages shown up to the newest count as read.
  private SpaceHistory.HistoryPage page(
      Tx tx, Space space, SpaceMember self, int offset, int limit) {
    long before = Math.max(1, space.lastSeq() - offset + 1);
    var page = SpaceHistory.page(tx, space, new SpaceHistory.HistoryRange(limit, before, null));
    if (offset == 0 && MemberTable.isMember(tx, space.id(), self)) {
      history.markRead(tx, space, self, space.lastSeq());
    }
    return page;
  }
}
