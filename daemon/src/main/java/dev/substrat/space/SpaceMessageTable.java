package dev.substrat.space;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.space.SpaceMessage.Reaction;
import dev.substrat.space.wakeup.WakeupCandidate;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table of messages in spaces; see [SpaceMessages].
public final class SpaceMessageTable {
  private static final String SELECT =
      """
      select said.id, said.space_id, said.seq, said.author, agent.handle, said.text, said.parent_id,
        said.kind, said.status, said.metadata, said.run_id, said.depth, said.cause_id,
        said.round_id, said.held_reason, said.created_at
      from space_message said left join agent on agent.id = said.author
      """;

  /// How much of each text is read.
  enum TextSelection {
    WHOLE(SELECT),
    BEGINNINGS(
        SELECT.replace(
            "said.text,",
            "substr(said.text, 1, " + (SpaceHistory.EXCERPT_LENGTH + 1) + ") as text,"));

    private final String select;

    TextSelection(String select) {
      this.select = select;
    }
  }

  private static final String INSERT =
      """
      insert into space_message
        (id, space_id, seq, author, text, parent_id, kind, status, metadata, run_id, depth,
         cause_id, round_id, idempotency_key, created_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private SpaceMessageTable() {}

  public static void insert(Tx tx, SpaceMessage message, @Nullable String idempotencyKey) {
    tx.update(
        INSERT,
        message.id().value(),
        message.space(),
        message.seq(),
        message.author().key(),
        message.text(),
        value(message.parent()),
        message.kind(),
        message.status(),
        message.metadata() == null ? null : Json.text(message.metadata()),
        message.run() == null ? null : message.run().value(),
        message.depth(),
        value(message.cause()),
        value(message.round()),
        idempotencyKey,
        message.at());
  }

  private static @Nullable String value(@Nullable MessageId id) {
    return id == null ? null : id.value();
  }

  public static Optional<SpaceMessage> find(Tx tx, MessageId id) {
    return withReactions(
            tx, tx.list(SELECT + " where said.id = ?", SpaceMessageTable::message, id.value()))
        .stream()
        .findFirst();
  }

  static Optional<SpaceMessage> newestOfPerson(Tx tx, String space) {
    return tx.find(
        SELECT
            + """
            where said.space_id = ? and said.kind = 'message'
              and (said.author = ? or said.author like 'person/%')
            order by said.seq desc limit 1
            """,
        SpaceMessageTable::message,
        space,
        SpaceMember.OPERATOR.key());
  }

  static Optional<SpaceMessage> findByKey(Tx tx, SpaceMember author, String idempotencyKey) {
    return tx.find(
        SELECT + " where said.author = ? and said.idempotency_key = ?",
        SpaceMessageTable::message,
        author.key(),
        idempotencyKey);
  }

  /// Up to `limit` after number `after` and before `before`: the oldest of them if they are counted
  /// from `after` on, else the newest. Oldest first either way.
  static List<SpaceMessage> between(
      Tx tx, TextSelection texts, String space, @Nullable Long after, long before, int limit) {
    List<SpaceMessage> found =
        tx.list(
            texts.select
                + " where said.space_id = ? and said.seq > ? and said.seq < ? order by said.seq "
                + (after == null ? "desc" : "asc")
                + " limit ?",
            SpaceMessageTable::message,
            space,
            after == null ? 0 : after,
            before,
            limit);
    return withReactions(tx, after == null ? found.reversed() : found);
  }

  /// The first `limit` after number `after`.
  static List<SpaceMessage> replies(Tx tx, MessageId parent, long after, int limit) {
    return withReactions(
        tx,
        tx.list(
            SELECT + " where said.parent_id = ? and said.seq > ? order by said.seq limit ?",
            SpaceMessageTable::message,
            parent.value(),
            after,
            limit));
  }

  /// The beginnings of the last `limit` before number `before`, oldest first.
  static List<SpaceMessage> lastReplies(Tx tx, MessageId parent, long before, int limit) {
    return withReactions(
        tx,
        tx.list(
                TextSelection.BEGINNINGS.select
                    + " where said.parent_id = ? and said.seq < ? order by said.seq desc limit ?",
                SpaceMessageTable::message,
                parent.value(),
                before,
                limit)
            .reversed());
  }

  /// Messages of a round, without those of `reader`.
  public static List<SpaceMessage> inRound(Tx tx, MessageId round, SpaceMember reader) {
    return tx.list(
        SELECT + " where said.round_id = ? and said.author <> ? order by said.seq",
        SpaceMessageTable::message,
        round.value(),
        reader.key());
  }

  static void replace(
      Tx tx,
      MessageId message,
      String text,
      SpaceMessage.ToolCallStatus status,
      ObjectNode metadata) {
    tx.update(
        "update space_message set text = ?, status = ?, metadata = ? where id = ?",
        text,
        status,
        Json.text(metadata),
        message.value());
  }

  public static void heldBecause(Tx tx, MessageId message, String reason) {
    tx.update("update space_message set held_reason = ? where id = ?", reason, message.value());
  }

  public static void woke(Tx tx, MessageId message, List<WakeupCandidate> agents) {
    tx.update(
        "update space_message set woken = ? where id = ?",
        String.join(",", agents.stream().map(WakeupCandidate::handle).toList()),
        message.value());
  }

  /// Handles of the agents that the message wakes; in a sequential space, one after another.
  static List<String> woken(Tx tx, MessageId message) {
    return tx.find(
            "select woken from space_message where id = ? and woken is not null",
            row -> List.of(row.text("woken").split(",", -1)),
            message.value())
        .orElse(List.of());
  }

  static long countReplies(Tx tx, MessageId message) {
    return tx.number(
        "select count(*) as n from space_message where parent_id = ?", message.value());
  }

  static boolean react(Tx tx, MessageId message, SpaceMember author, String emoji, Instant now) {
    return tx.update(
            """
            insert into reaction (message_id, author, emoji, created_at) values (?, ?, ?, ?)
            on conflict do nothing
            """,
            message.value(),
            author.key(),
            emoji,
            now)
        == 1;
  }

  static boolean unreact(Tx tx, MessageId message, SpaceMember author, String emoji) {
    return tx.update(
            "delete from reaction where message_id = ? and author = ? and emoji = ?",
            message.value(),
            author.key(),
            emoji)
        == 1;
  }

  private static List<SpaceMessage> withReactions(Tx tx, List<SpaceMessage> messages) {
    Map<String, List<Reaction>> reactions = reactions(tx, messages);
    return messages.stream()
        .map(message -> message.with(reactions.getOrDefault(message.id().value(), List.of())))
        .toList();
  }

  /// Reactions by message id, for a whole page in one query.
  private static Map<String, List<Reaction>> reactions(Tx tx, List<SpaceMessage> messages) {
    return tx
        .list(
            """
            select message_id, emoji, author, handle
            from reaction left join agent on agent.id = author
            where message_id in (select value from MEMBERS)
            order by reaction.created_at, emoji, author
            """
                .replace("MEMBERS", tx.dialect().members()),
            SpaceMessageTable::reaction,
            Json.text(messages.stream().map(message -> message.id().value()).toList()))
        .stream()
        .collect(groupingBy(Map.Entry::getKey, mapping(Map.Entry::getValue, toList())));
  }

  private static Map.Entry<String, Reaction> reaction(ResultRow row) {
    var author = new SpaceMember(row.text("author"));
    return Map.entry(
        row.text("message_id"),
        new Reaction(
            row.text("emoji"), author, MemberDirectory.handle(author, row.textOrNull("handle"))));
  }

  private static SpaceMessage message(ResultRow row) {
    var author = new SpaceMember(row.text("author"));
    @Nullable String metadata = row.textOrNull("metadata");
    @Nullable String run = row.textOrNull("run_id");
    return new SpaceMessage(
        new MessageId(row.text("id")),
        row.text("space_id"),
        row.number("seq"),
        author,
        MemberDirectory.handle(author, row.textOrNull("handle")),
        row.text("text"),
        id(row.textOrNull("parent_id")),
        SpaceMessage.SpaceMessageKind.parse(row.text("kind")),
        SpaceMessage.ToolCallStatus.parse(row.text("status")),
        metadata == null ? null : (ObjectNode) Json.own(metadata),
        run == null ? null : new RunId(run),
        row.integer("depth"),
        id(row.textOrNull("cause_id")),
        id(row.textOrNull("round_id")),
        row.textOrNull("held_reason"),
        row.instant("created_at"),
        List.of());
  }

  private static @Nullable MessageId id(@Nullable String value) {
    return value == null ? null : new MessageId(value);
  }
}
