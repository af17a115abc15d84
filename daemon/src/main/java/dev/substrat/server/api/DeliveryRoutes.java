package dev.substrat.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.messaging.message.DeadLetters;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.MessageHistory;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.SpaceMessages;
import dev.substrat.space.wakeup.HeldMessages;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.toolset.team.AgentCondition;
import dev.substrat.toolset.team.BlockedReason;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.run.Runs;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// HTTP routes of message delivery: lists, the status of one message, and release, retry and
/// withdrawal.
public final class DeliveryRoutes {
  private static final int PAGE = 200;
  private static final String LIMIT = "Maximum number of messages, up to 200.";

  private final Database database;
  private final Messages messages;
  private final InstantSource clock;

  public DeliveryRoutes(Engine engine) {
    this.database = engine.dependencies().database();
    this.messages = engine.messages();
    this.clock = engine.dependencies().clock();
  }

  public List<HttpRoute> routes() {
    return List.of(
        list(),
        HttpRoute.read(
                "/api/held",
                Scope.MESSAGES_READ,
                "List held direct messages and held messages in spaces, oldest first.",
                this::held)
            .withQuery("limit", LIMIT)
            .withQuery("after", "`next` of the previous page."),
        HttpRoute.read(
            "/api/messages/{id}",
            Scope.MESSAGES_READ,
            "Return the delivery status of a message; the id may be a unique prefix.",
            this::state),
        action(
            "release",
            "Release a held message, so that it wakes its recipient.",
            messages::release),
        action(
            "retry",
            "Retry the delivery of a dead letter.",
            id -> messages.deadLetters().retry(id)),
        action(
            "withdraw",
            "Withdraw a message that is not yet included in a turn.",
            id -> messages.deadLetters().withdraw(id)));
  }

  private HttpRoute list() {
    return HttpRoute.read(
            "/api/messages", Scope.MESSAGES_READ, "List messages, newest first.", this::list)
        .withQuery("held", "true: only held messages.")
        .withQuery(
            "dead",
            "true: only dead letters and expired messages. With held=true: also held messages.")
        .withQuery("agent", "Only messages from or to this agent.")
        .withQuery("limit", LIMIT)
        .withQuery("before", "`next` of the previous page.");
  }

  private HttpRoute action(String name, String summary, Consumer<MessageId> action) {
    return HttpRoute.write(
        "/api/messages/{id}/" + name,
        Scope.MESSAGES_SEND,
        summary,
        null,
        exchange -> {
          action.accept(requireDirect(exchange.name("id")));
          return HttpReply.noContent();
        });
  }

  /// Messages held in a space are released together, with the space.
  private MessageId requireDirect(String typed) {
    Optional<HeldMessages.HeldMessage> inSpace =
        database.read(tx -> HeldMessages.find(tx, new MessageId(typed)));
    if (inSpace.isPresent()) {
      String space = inSpace.get().space();
      throw ErrorCode.CONFLICT.fault(
          "message %s is held in space %s, whose messages are released together"
              .formatted(typed, space),
          "release the messages with: substrat space release " + space);
    }
    return messages.history().require(typed).id();
  }

  /// `next` is the position of the next page, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record DeliveryPage(List<MessageView> messages, @Nullable String next) {}

  private HttpReply list(HttpExchange exchange) {
    if (exchange.query("status").isPresent()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "status is not a parameter of /api/messages",
          "use held=true or dead=true; other parameters: agent, limit, before");
    }
    int limit = exchange.limit(PAGE);
    String before = exchange.query("before").orElse("");
    Agent agent =
        exchange.query("agent").map(name -> database.read(tx -> known(tx, name))).orElse(null);
    var filter =
        new MessageHistory.MessageFilter(
            exchange.flag("held"), exchange.flag("dead"), agent == null ? null : agent.id());
    List<Message> found = messages.history().page(filter, before, limit);
    List<MessageView> shown =
        database.read(tx ->
            Stream.concat(
                    found.stream().map(one -> MessageView.of(tx, one)),
                    filter.held() && before.isEmpty()
                        ? inSpaces(tx, exchange, "", limit)
                            .filter(one -> agent == null || isAbout(one, agent))
                        : Stream.empty())
                .sorted(Comparator.comparing(MessageView::at).reversed())
                .toList());
    return HttpReply.ok(
        new DeliveryPage(shown, found.size() < limit ? null : found.getLast().id().value()));
  }

  /// Includes terminated agents: their messages are kept.
  private static Agent known(Tx tx, String typed) {
    return AgentTree.find(tx, typed).orElseGet(() -> AgentTree.require(tx, typed));
  }

  private static boolean isAbout(MessageView held, Agent agent) {
    return held.from().equals(agent.handle())
        || (held.agents() != null && held.agents().contains(agent.handle()));
  }

  /// Held messages in spaces that the caller may read.
  private static Stream<MessageView> inSpaces(
      Tx tx, HttpExchange exchange, String after, int limit) {
    return HeldMessages.list(tx, after, limit).stream()
        .filter(
            held -> exchange.admission().may(Scope.SPACES_READ, AccessTarget.ofSpace(held.space())))
        .map(MessageView::of);
  }

  private HttpReply held(HttpExchange exchange) {
    int limit = exchange.limit(PAGE);
    String after = exchange.query("after").orElse("");
    List<Message> direct = messages.held(after, limit);
    List<MessageView> shown =
        database.read(tx ->
            Stream.concat(
                    direct.stream().map(one -> MessageView.of(tx, one)),
                    inSpaces(tx, exchange, after, limit))
                // Ids are ordered by time.
                .sorted(Comparator.comparing(MessageView::id))
                .limit(limit)
                .toList());
    return HttpReply.ok(
        new DeliveryPage(shown, shown.size() < limit ? null : shown.getLast().id()));
  }

  /// Delivery status of a message. `held`: why a guard holds it. `reason`: why it is dead or
  /// expired. `run`: the last turn that got it. `attempts`: number of failed attempts. `external`:
  /// the recipient is an external agent. `condition`: what keeps the recipient from processing it.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record DeliveryView(
      @JsonProperty("message_id") String id,
      String kind,
      String from,
      String to,
      String text,
      boolean sync,
      String status,
      List<StepView> history,
      @JsonProperty("in_reply_to") @Nullable String inReplyTo,
      @Nullable ReplyView reply,
      @Nullable String held,
      @Nullable String reason,
      @Nullable String waits,
      @Nullable DelayView delay,
      @Nullable RunView run,
      @Nullable Integer attempts,
      @JsonProperty("can_retry") @Nullable Boolean canRetry,
      @Nullable Boolean external,
      @Nullable AgentCondition condition) {}

  /// Why an attempt at this message, or at one before it, failed, and the time of the next attempt.
  record DelayView(String reason, @JsonProperty("next_try_at") @Nullable Instant nextTryAt) {}

  /// The last turn that got the message.
  record RunView(@JsonProperty("run_id") String id, long turn, String status) {}

  /// Time of a status change.
  record StepView(String status, Instant at) {}

  /// The answer to a message.
  record ReplyView(@JsonProperty("message_id") String id, String text) {}

  private HttpReply state(HttpExchange exchange) {
    var id = new MessageId(exchange.name("id"));
    Optional<SpaceMessage> post =
        database.read(tx -> SpaceMessages.find(tx, SpaceMember.of(exchange.caller()), id));
    if (post.isPresent()) {
      exchange
          .admission()
          .require(Scope.SPACES_READ, () -> AccessTarget.ofSpace(post.get().space()));
      return HttpReply.ok(database.<DeliveryView>read(tx -> view(tx, post.get())));
    }
    Message message = messages.history().require(exchange.name("id"));
    ReplyView reply =
        messages
            .findReply(message.id())
            .map(found -> new ReplyView(found.id().value(), found.text()))
            .orElse(null);
    return HttpReply.ok(database.<DeliveryView>read(tx -> view(tx, message, reply)));
  }

  /// A message in a space is delivered once it is posted; a guard can only hold the wake-ups.
  private static DeliveryView view(Tx tx, SpaceMessage post) {
    String stored = Message.MessageStatus.STORED.toString();
    return new DeliveryView(
        post.id().value(),
        MessageView.SPACE_MESSAGE,
        post.authorHandle(),
        post.space(),
        post.text(),
        false,
        stored,
        List.of(new StepView(stored, post.at())),
        post.parent() == null ? null : post.parent().value(),
        null,
        HeldMessages.find(tx, post.id()).map(HeldMessages.HeldMessage::reason).orElse(null),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private DeliveryView view(Tx tx, Message message, @Nullable ReplyView reply) {
    var recipient = new AgentId(message.recipient());
    Optional<Agent> agent = AgentTree.find(tx, message.recipient());
    boolean isOpen = message.isOpen();
    Optional<BlockedReason> own =
        isOpen ? BlockedReason.afterFailure(tx, recipient, message.id()) : Optional.empty();
    Optional<BlockedReason> delay =
        isOpen ? own.or(() -> BlockedReason.afterFailure(tx, recipient)) : Optional.empty();
    return new DeliveryView(
        message.id().value(),
        message.kind().toString(),
        MessageView.name(tx, message.sender()),
        MessageView.name(tx, message.recipient()),
        message.text(),
        message.sync(),
        message.status().toString(),
        message.history().stream()
            .map(step -> new StepView(step.status().toString(), step.at()))
            .toList(),
        message.inReplyTo() == null ? null : message.inReplyTo().value(),
        reply,
        message.heldReason(),
        message.deadReason(),
        isOpen ? BudgetTable.findStop(tx, recipient).map(Budget::reason).orElse(null) : null,
        delay.map(one -> new DelayView(one.reason(), one.nextTryAt())).orElse(null),
        Runs.findLastGiven(tx, message.id())
            .map(run -> new RunView(run.id(), run.turn(), run.status()))
            .orElse(null),
        own.map(BlockedReason::attempts).orElse(null),
        isOpen ? null : DeadLetters.canRetry(tx, message),
        agent.map(Agent::isExternal).orElse(null),
        message.status() == Message.MessageStatus.STORED
            ? agent.map(one -> AgentCondition.of(tx, one, clock.instant())).orElse(null)
            : null);
  }
}
