package dev.substrat.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.Agents;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// HTTP routes of messages to agents and of the operator's inbox.
public final class MessageRoutes {
  private static final int PAGE = 200;

  private final Database database;
  private final Agents agents;
  private final Messages messages;

  public MessageRoutes(Database database, Agents agents, Messages messages) {
    this.database = database;
    this.agents = agents;
    this.messages = messages;
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.write(
                "/api/agents/{id}/messages",
                Scope.MESSAGES_SEND,
                "Send a message to an agent; the reply arrives in the operator's inbox.",
                NewMessage.class,
                this::send)
            .withHeader(
                "Idempotency-Key",
                "A repeated request with the same key and message creates no second message."),
        HttpRoute.read(
                "/api/agents/{id}/messages",
                Scope.MESSAGES_READ,
                "List the newest messages from and to an agent, oldest first.",
                this::mail)
            .withQuery("limit", "Maximum number of messages, up to 200.")
            .withQuery("before", "`next` of the previous page: older messages."),
        mailbox(),
        HttpRoute.write(
            "/api/inbox/read",
            Scope.MESSAGES_SEND,
            "Mark a message of the operator's inbox, or all messages up to it, as read.",
            ReadMarkRequest.class,
            this::markRead));
  }

  private HttpRoute mailbox() {
    return HttpRoute.read(
            "/api/inbox",
            Scope.MESSAGES_READ,
            "List the operator's messages, oldest first.",
            this::inbox)
        .withQuery(
            "limit", "Maximum number of messages, up to 200; the newest, unless `after` is given.")
        .withQuery("after", "Only messages after this message id.")
        .withQuery("unread", "true: only unread messages, oldest first.");
  }

  /// Messages to mark as read: one, or all up to one.
  public record ReadMarkRequest(
      @JsonProperty("up_to")
          @JsonPropertyDescription(
              "Id of the last message to mark as read, with all messages before it.")
          @Nullable String upTo,
      @JsonPropertyDescription("Id of the only message to mark as read.")
          @Nullable String message) {}

  /// A message to an agent.
  public record NewMessage(
      String text,
      @JsonPropertyDescription("true (default): a reply is expected. false: no reply is expected.")
          @Nullable Boolean sync,
      @JsonProperty("in_reply_to")
          @JsonPropertyDescription("Id of the agent's message that this message answers.")
          @Nullable String inReplyTo) {

    boolean asks() {
      return sync == null || sync;
    }
  }

  /// A message that was just sent. `waits` is the reason why it cannot be processed yet; `answers`
  /// is the agent's question that it answered, in which case no answer to it is expected.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record SentMessageView(
      @JsonProperty("message_id") String id,
      String status,
      @Nullable String waits,
      @Nullable String answers) {}

  private HttpReply send(HttpExchange exchange) {
    var wanted = exchange.body(NewMessage.class);
    var inReplyTo = wanted.inReplyTo() == null ? null : new MessageId(wanted.inReplyTo());
    var note = new Messages.PersonMessage(wanted.text(), wanted.asks(), inReplyTo);
    Message sent =
        messages.fromOperator(
            exchange.name("id"), note, exchange.header("Idempotency-Key").orElse(null));
    MessageId answered = sent.kind() == Message.MessageKind.REPLY ? sent.inReplyTo() : null;
    return HttpReply.created(
        new SentMessageView(
            sent.id().value(),
            sent.status().toString(),
            waits(sent),
            answered == null ? null : answered.value()));
  }

  private HttpReply mail(HttpExchange exchange) {
    Agent agent = agents.require(exchange.name("id"));
    int limit = exchange.limit(PAGE);
    List<Message> found = messages.before(agent.id(), exchange.query("before").orElse(""), limit);
    String next = found.size() < limit ? null : found.getFirst().id().value();
    return HttpReply.ok(new DeliveryRoutes.DeliveryPage(views(found), next));
  }

  private HttpReply inbox(HttpExchange exchange) {
    int limit = exchange.limit(PAGE);
    boolean onlyUnread = exchange.query("unread").filter("true"::equals).isPresent();
    List<Message> found =
        onlyUnread
            ? messages.unreadByOperator(limit)
            : exchange
                .query("after")
                .map(after -> messages.toOperator(after, limit))
                .orElseGet(() -> messages.newestToOperator(limit));
    return HttpReply.ok(
        Map.of("messages", views(found), "unread", messages.countUnreadByOperator()));
  }

  private List<MessageView> views(List<Message> found) {
    return database.read(tx -> found.stream().map(one -> MessageView.of(tx, one)).toList());
  }

  private HttpReply markRead(HttpExchange exchange) {
    var seen = exchange.body(ReadMarkRequest.class);
    if ((seen.upTo() == null) == (seen.message() == null)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "exactly one of /up_to and /message is required",
          "`message` marks one message as read, `up_to` also all messages before it");
    }
    int read =
        seen.message() == null
            ? messages.readByOperator(new MessageId(Objects.requireNonNull(seen.upTo())))
            : messages.readOneByOperator(new MessageId(seen.message()));
    return HttpReply.ok(Map.of("read", read));
  }

  /// Why the message is not processed yet, if there is a reason.
  private @Nullable String waits(Message message) {
    return message.isOpen()
        ? database
            .read(tx -> BudgetTable.findStop(tx, new AgentId(message.recipient())))
            .map(Budget::reason)
            .orElse(null)
        : null;
  }
}
