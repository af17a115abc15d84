package dev.substrat.server.api.spaces;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.space.SpaceHistory;
import dev.substrat.space.SpaceMessages;
import dev.substrat.space.Spaces;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// HTTP routes of messages in spaces. The author is the principal of the token.
public final class SpaceMessageRoutes {
  private final Spaces spaces;

  public SpaceMessageRoutes(Spaces spaces) {
    this.spaces = spaces;
  }

  /// A message to post; with `parentId` a reply to that message.
  public record NewPost(String text, @Nullable String parentId) {}

  /// A read position.
  public record ReadPositionRequest(
      @JsonPropertyDescription("Number of the last message to mark as read.") long seq) {}

  /// An emoji reaction.
  public record EmojiRequest(String emoji) {}

  public List<HttpRoute> routes() {
    return Stream.concat(inSpaces().stream(), onMessages().stream()).toList();
  }

  private List<HttpRoute> inSpaces() {
    return List.of(
        HttpRoute.read(
                "/api/spaces/{id}/messages",
                Scope.SPACES_READ,
                "List messages of a space, oldest first: the newest messages, or the messages after"
                    + " `afterSeq`. `finishedWithoutPosting` has the final texts of turns that"
                    + " posted nothing.",
                this::read)
            .withQuery("limit", "Maximum number of messages, up to " + SpaceHistory.MAX_COUNT + ".")
            .withQuery("beforeSeq", "Only messages before this number.")
            .withQuery("afterSeq", "Only the first messages after this number."),
        HttpRoute.write(
                "/api/spaces/{id}/messages",
                Scope.SPACES_POST,
                "Post a message; creates a DM that does not exist yet.",
                NewPost.class,
                this::post)
            .withHeader(
                "Idempotency-Key",
                "A repeated request with the same key and text creates no second message."),
        HttpRoute.write(
            "/api/spaces/{id}/read",
            Scope.SPACES_READ,
            "Mark all messages up to a number as read.",
            ReadPositionRequest.class,
            this::markRead));
  }

  private List<HttpRoute> onMessages() {
    return List.of(
        HttpRoute.write(
            "/api/messages/{id}/reactions",
            Scope.SPACES_POST,
            "Add a reaction to a message.",
            EmojiRequest.class,
            this::react),
        new HttpRoute(
            "DELETE",
            "/api/messages/{id}/reactions",
            Scope.SPACES_POST,
            "Remove your own reaction.",
            EmojiRequest.class,
            List.of(),
            this::unreact),
        HttpRoute.read(
                "/api/messages/{id}/replies",
                Scope.SPACES_READ,
                "List the replies to a message, oldest first.",
                this::replies)
            .withQuery("limit", "Maximum number of replies, up to " + SpaceHistory.MAX_COUNT + ".")
            .withQuery("afterSeq", "Only replies after this number."));
  }

  private HttpReply read(HttpExchange exchange) {
    var range =
        new SpaceHistory.HistoryRange(
            exchange.limit(SpaceHistory.MAX_COUNT),
            seq(exchange, "beforeSeq"),
            seq(exchange, "afterSeq"));
    var page = spaces.history().read(exchange.caller(), exchange.name("id"), range);
    return HttpReply.ok(
        Map.of(
            "messages", SpaceView.said(page.messages()),
            "finishedWithoutPosting",
                spaces.history().unposted(page, range).stream()
                    .map(SpaceView.UnpostedTextView::of)
                    .toList(),
            "hasMore", page.hasMore(),
            "lastSeq", page.space().lastSeq()));
  }

  private static @Nullable Long seq(HttpExchange exchange, String key) {
    return exchange.query(key).isPresent() ? exchange.number(key, 0) : null;
  }

  private HttpReply post(HttpExchange exchange) {
    Principal who = exchange.caller();
    var wanted = exchange.body(NewPost.class);
    @Nullable MessageId parent =
        wanted.parentId() == null ? null : new MessageId(wanted.parentId());
    var post = new SpaceMessages.PostRequest(exchange.name("id"), wanted.text(), parent);
    return HttpReply.created(
        SpaceView.SpaceMessageView.of(
            spaces.messages().post(who, post, exchange.header("Idempotency-Key").orElse(null))));
  }

  private HttpReply markRead(HttpExchange exchange) {
    Principal who = exchange.caller();
    long seq = exchange.body(ReadPositionRequest.class).seq();
    String id = spaces.require(who, exchange.name("id")).id();
    spaces.history().markRead(who, id, seq);
    return HttpReply.ok(Map.of("unread", spaces.history().unread(who).getOrDefault(id, 0L)));
  }

  private HttpReply react(HttpExchange exchange) {
    Principal who = exchange.caller();
    var message = new MessageId(exchange.name("id"));
    boolean changed =
        spaces.messages().react(who, message, exchange.body(EmojiRequest.class).emoji());
    return reactions(who, message, changed);
  }

  private HttpReply unreact(HttpExchange exchange) {
    Principal who = exchange.caller();
    var message = new MessageId(exchange.name("id"));
    boolean changed =
        spaces.messages().unreact(who, message, exchange.body(EmojiRequest.class).emoji());
    return reactions(who, message, changed);
  }

  private HttpReply reactions(Principal who, MessageId id, boolean changed) {
    return HttpReply.ok(
        Map.of(
            "message_id", id.value(),
            "reactions", SpaceView.reactionsOf(spaces.messages().require(who, id)),
            "changed", changed));
  }

  private HttpReply replies(HttpExchange exchange) {
    var page =
        spaces
            .history()
            .replies(
                exchange.caller(),
                new MessageId(exchange.name("id")),
                exchange.number("afterSeq", 0),
                exchange.limit(SpaceHistory.MAX_COUNT));
    return HttpReply.ok(
        Map.of("messages", SpaceView.said(page.messages()), "hasMore", page.hasMore()));
  }
}
