package dev.substrat.server.console.messages;

import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.console.ConsoleSection;
import dev.substrat.console.messages.MessagePage;
import dev.substrat.console.messages.MessageRow;
import dev.substrat.console.messages.MessagesPage;
import dev.substrat.console.messages.MessagesPage.FolderCounts;
import dev.substrat.console.messages.MessagesPage.MessageFolder;
import dev.substrat.http.server.FormData;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.MessageHistory;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.server.console.FlashMessage;
import dev.substrat.server.console.PageFrames;
import dev.substrat.server.console.PageReply;
import dev.substrat.space.Spaces;
import dev.substrat.turn.engine.Engine;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Messages pages: inbox of the operator, all messages, dead letters, held messages.
public final class MessagePages {
  private static final int PAGE = 50;

  /// Maximum length of rendered text; the full text is available as plain text.
  private static final int MAX_LENGTH = 40_000;

  private final Engine engine;
  private final PageFrames frames;

  public MessagePages(Engine engine, PageFrames frames) {
    this.engine = engine;
    this.frames = frames;
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read("/mail", Scope.MESSAGES_READ, "Messages, newest first.", this::list)
            .withQuery("folder", "Folder: inbox (default), all, dead or held.")
            .withQuery("before", "Only messages sent before this message."),
        HttpRoute.write(
            "/mail/read", Scope.MESSAGES_SEND, "Marks all messages as read.", null, this::readAll),
        HttpRoute.read("/mail/{id}", Scope.MESSAGES_READ, "One message.", this::show),
        HttpRoute.read(
            "/mail/{id}/text", Scope.MESSAGES_READ, "Full text of a message.", this::text),
        HttpRoute.write(
            "/mail/{id}/reply", Scope.MESSAGES_SEND, "Replies to a message.", null, this::reply),
        HttpRoute.write(
            "/mail/{id}/release",
            Scope.MESSAGES_SEND,
            "Releases a held message.",
            null,
            this::release),
        HttpRoute.write(
            "/mail/{id}/retry", Scope.MESSAGES_SEND, "Retries a dead letter.", null, this::retry));
  }

  private HttpReply list(HttpExchange exchange) {
    var frame = frames.around(exchange, ConsoleSection.MAIL, "Messages");
    MessageFolder folder = folder(exchange.query("folder").orElse(""));
    List<Message> found =
        messages().history().page(stored(folder), exchange.query("before").orElse(""), PAGE);
    List<MessageRow> rows = rows(exchange, found, MessageHistory.BEGINNING);
    List<Spaces.BlockedSpace> stopped = engine.spaces().stopped();
    var counts =
        new FolderCounts(
            frame.waiting().mail(),
            messages().history().count(MessageHistory.MessageFolder.LOST),
            messages().history().count(MessageHistory.MessageFolder.HELD)
                + stopped.stream().mapToLong(Spaces.BlockedSpace::held).sum());
    String next = found.size() < PAGE ? "" : found.getLast().id().value();
    return PageReply.ok(
        new MessagesPage(
            frame,
            frames.now(),
            folder,
            counts,
            folder == MessageFolder.HELD
                ? stopped.stream().map(MessagePages::stopped).toList()
                : List.of(),
            rows,
            next));
  }

  private static MessagesPage.BlockedSpace stopped(Spaces.BlockedSpace one) {
    return new MessagesPage.BlockedSpace(one.id(), one.name(), one.held(), one.reason());
  }

  private static MessageFolder folder(String key) {
    return Stream.of(MessageFolder.values())
        .filter(folder -> folder.key().equals(key))
        .findFirst()
        .orElse(MessageFolder.INBOX);
  }

  private static MessageHistory.MessageFolder stored(MessageFolder folder) {
    return switch (folder) {
      case INBOX -> MessageHistory.MessageFolder.INBOX;
      case ALL -> MessageHistory.MessageFolder.ALL;
      case DEAD -> MessageHistory.MessageFolder.LOST;
      case HELD -> MessageHistory.MessageFolder.HELD;
    };
  }

  private MessageRow row(HttpExchange exchange, Message message, int most) {
    return rows(exchange, List.of(message), most).getFirst();
  }

  private List<MessageRow> rows(HttpExchange exchange, List<Message> found, int most) {
    return engine.read(tx -> {
      var reader = new MessageReader(tx, exchange.caller());
      return found.stream().map(one -> reader.row(one, most)).toList();
    });
  }

  /// Opening a message to the operator marks it as read.
  private HttpReply show(HttpExchange exchange) {
    var id = id(exchange);
    if (messages().require(id).recipient().equals(Principal.OPERATOR_NAME)) {
      messages().readOneByOperator(id);
    }
    var frame = frames.around(exchange, ConsoleSection.MAIL, "Messages");
    Message message = messages().require(id);
    @Nullable Message question =
        message.inReplyTo() == null ? null : messages().find(message.inReplyTo()).orElse(null);
    @Nullable Message reply = messages().findReply(id).orElse(null);
    return PageReply.ok(
        new MessagePage(
            frame,
            frames.now(),
            row(exchange, message, MAX_LENGTH),
            MessageReader.steps(message),
            question == null ? null : row(exchange, question, MessageHistory.BEGINNING),
            reply == null ? null : row(exchange, reply, MAX_LENGTH),
            waits(message)));
  }

  private HttpReply text(HttpExchange exchange) {
    return PageReply.plain(messages().require(id(exchange)).text());
  }

  private String waits(Message message) {
    Optional<Budget> stop =
        message.isOpen()
            ? engine.read(tx -> BudgetTable.findStop(tx, new AgentId(message.recipient())))
            : Optional.empty();
    return stop.map(Budget::reason).orElse("");
  }

  private HttpReply readAll(HttpExchange exchange) {
    messages().readByOperator(new MessageId(exchange.form().text("up_to")));
    return PageReply.goTo("/mail", FlashMessage.READ);
  }

  private HttpReply reply(HttpExchange exchange) {
    FormData form = exchange.form();
    Message question = messages().require(id(exchange));
    var note = new Messages.PersonMessage(form.text("text"), true, question.id());
    messages().fromOperator(question.sender(), note, form.idempotencyKey());
    return PageReply.goTo("/mail/" + question.id(), FlashMessage.MESSAGE_SENT);
  }

  private HttpReply release(HttpExchange exchange) {
    String folder = exchange.form().text("folder");
    messages().release(id(exchange));
    return back(exchange, folder, FlashMessage.RELEASED);
  }

  private HttpReply retry(HttpExchange exchange) {
    String folder = exchange.form().text("folder");
    messages().deadLetters().retry(id(exchange));
    return back(exchange, folder, FlashMessage.RETRIED);
  }

  /// Back to the folder of the action, or to the message.
  private static HttpReply back(HttpExchange exchange, String folder, FlashMessage said) {
    return folder.isEmpty()
        ? PageReply.goTo("/mail/" + id(exchange), said)
        : PageReply.goTo("/mail?folder=" + folder(folder).key() + "&said=" + said.key());
  }

  private static MessageId id(HttpExchange exchange) {
    return new MessageId(exchange.name("id"));
  }

  private Messages messages() {
    return engine.messages();
  }
}
