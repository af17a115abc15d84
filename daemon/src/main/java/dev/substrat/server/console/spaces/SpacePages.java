package dev.substrat.server.console.spaces;

import dev.substrat.access.person.People;
import dev.substrat.access.person.Person;
import dev.substrat.console.ConsoleSection;
import dev.substrat.console.spaces.LatestMessage;
import dev.substrat.console.spaces.SpacePage;
import dev.substrat.console.spaces.SpacePage.Conversation;
import dev.substrat.console.spaces.SpacePage.HeldWakeups;
import dev.substrat.console.spaces.SpacePage.SpaceHeader;
import dev.substrat.console.spaces.SpacePage.SpaceParticipant;
import dev.substrat.console.spaces.SpaceRow;
import dev.substrat.console.spaces.SpacesPage;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.server.console.PageFrames;
import dev.substrat.server.console.PageReply;
import dev.substrat.server.console.approvals.QuestionReader;
import dev.substrat.space.Membership;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceHistory;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.Spaces;
import dev.substrat.space.UnpostedText;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.turn.engine.Engine;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// List of spaces and page of one space with its newest messages.
public final class SpacePages {
  private static final int PAGE = 50;
  private static final int REPLIES = 50;
  private static final int SPACES = 100;

  /// Maximum number of suggestions.
  private static final int EVERYBODY = 200;

  /// Cookie with the time zone, set by times.js.
  private static final String ZONE_COOKIE = "substrat_zone";

  private final Engine engine;
  private final PageFrames frames;
  private final Spaces spaces;

  public SpacePages(Engine engine, PageFrames frames) {
    this.engine = engine;
    this.frames = frames;
    this.spaces = engine.spaces();
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read("/spaces", Scope.SPACES_READ, "Visible spaces.", this::list)
            .withQuery("after", "Only spaces after this space."),
        HttpRoute.read("/spaces/{id}", Scope.SPACES_READ, "Messages of a space.", this::show)
            .withQuery("before", "Messages before this number instead of the newest.")
            .withQuery("thread", "Message whose thread is open.")
            .withQuery("until", "Replies before this number, instead of the newest."),
        HttpRoute.read(
            "/spaces/{id}/messages/{message}",
            Scope.SPACES_READ,
            "Full text of a message.",
            this::text));
  }

  private HttpReply list(HttpExchange exchange) {
    var frame = frames.around(exchange, ConsoleSection.SPACES, "Spaces");
    String after = exchange.query("after").orElse("");
    List<SpaceRow> lines = lines(exchange, after, "");
    String next = lines.size() < SPACES ? "" : lines.getLast().id();
    Map<String, LatestMessage> latest =
        engine.read(tx -> LatestMessages.in(tx, lines, exchange.caller()));
    return PageReply.ok(
        new SpacesPage(frame, frames.now(), lines, latest, next, candidates(exchange)));
  }

  /// Spaces of the caller that the token can read.
  private List<SpaceRow> lines(HttpExchange exchange, String after, String here) {
    Principal who = exchange.caller();
    Map<String, Long> unread = spaces.history().unread(who);
    Map<String, Long> waiting = engine.read(LatestMessages::waiting);
    return spaces.list(who, after, SPACES).stream()
        .filter(listed ->
            exchange.admission().may(Scope.SPACES_READ, AccessTarget.ofSpace(listed.space().id())))
        .map(listed -> line(listed, unread, waiting, here))
        .toList();
  }

  private static SpaceRow line(
      Spaces.SpaceWithMemberCount listed,
      Map<String, Long> unread,
      Map<String, Long> waiting,
      String here) {
    Space space = listed.space();
    return new SpaceRow(
        space.id(),
        space.name(),
        space.kind().toString(),
        space.topic(),
        listed.memberCount(),
        unread.getOrDefault(space.id(), 0L),
        waiting.getOrDefault(space.id(), 0L),
        space.id().equals(here));
  }

  /// Suggested members, for operators whose token can read agents and people.
  private List<String> candidates(HttpExchange exchange) {
    if (!exchange.caller().isOperator()
        || !exchange.may(Scope.AGENTS_READ)
        || !exchange.may(Scope.PEOPLE_READ)) {
      return List.of();
    }
    return engine.read(tx ->
        Stream.concat(
                AgentTree.list(tx, "", EVERYBODY, false).stream().map(Agent::handle),
                people(tx).stream())
            .toList());
  }

  private static List<String> people(Tx tx) {
    return tx.list(
        "select name from person where removed_at is null order by name limit ?",
        row -> row.text("name"),
        EVERYBODY);
  }

  private HttpReply show(HttpExchange exchange) {
    var frame = frames.around(exchange, ConsoleSection.SPACES, exchange.name("id"));
    Principal who = exchange.caller();
    Space space = spaces.require(who, exchange.name("id"));
    List<Membership> members = spaces.members(who, space.id());
    Optional<Membership> own =
        members.stream().filter(one -> one.member().equals(SpaceMember.of(who))).findFirst();
    List<String> typing = spaces.typing(who, space.id());
    Spaces.HeldWakeups standing = spaces.heldState(who, space.id());
    String thread = exchange.query("thread").orElse("");
    var viewer =
        new SpaceConversation.ConversationViewer(
            who,
            zone(exchange),
            own.map(Membership::lastReadSeq).orElse(-1L),
            "/spaces/" + space.id() + (thread.isEmpty() ? "" : "?thread=" + thread));
    return PageReply.ok(
        new SpacePage(
            frame,
            frames.now(),
            header(space, who, own.isPresent()),
            lines(exchange, "", space.id()),
            conversation(space, viewer, exchange.number("before", 0)),
            thread.isEmpty()
                ? null
                : thread(space, viewer, new MessageId(thread), exchange.number("until", 0)),
            participants(exchange.caller(), members, typing),
            typing,
            new HeldWakeups(standing.held(), standing.reason() == null ? "" : standing.reason()),
            candidates(exchange)));
  }

  /// Time zone of the viewer, if the browser has sent it.
  private static ZoneId zone(HttpExchange exchange) {
    try {
      return exchange.cookie(ZONE_COOKIE).map(ZoneId::of).orElse(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return ZoneOffset.UTC;
    }
  }

  private static SpaceHeader header(Space space, Principal who, boolean isMember) {
    return new SpaceHeader(
        space.id(),
        space.name(),
        space.kind().toString(),
        space.topic(),
        space.wakePolicy().toString(),
        space.maxChainDepth() == null ? "" : space.maxChainDepth().toString(),
        DisplayNames.handle(who.key()),
        isMember,
        isMember
            || space.kind() == Space.SpaceKind.PUBLIC
            || (who.isOperator() && space.kind() == Space.SpaceKind.PRIVATE));
  }

  /// Reads one more message than shown, to know whether the first one starts a new day.
  private Conversation conversation(
      Space space, SpaceConversation.ConversationViewer viewer, long before) {
    var range = new SpaceHistory.HistoryRange(PAGE + 1, before > 0 ? before : null, null);
    SpaceHistory.HistoryPage page = spaces.history().readAbridged(viewer.who(), space.id(), range);
    List<SpaceMessage> found = page.messages();
    List<UnpostedText> unposted = spaces.history().unposted(page, range);
    boolean hasEarlier = found.size() > PAGE;
    @Nullable SpaceMessage last = hasEarlier ? found.getFirst() : null;
    List<SpaceMessage> shown = hasEarlier ? found.subList(1, found.size()) : found;
    // Earlier pages have no unread mark.
    var reader =
        before > 0
            ? new SpaceConversation.ConversationViewer(
                viewer.who(), viewer.zone(), -1, viewer.back())
            : viewer;
    return new Conversation(
        engine.read(
            tx -> new SpaceConversation(tx, reader, frames.now()).of(last, shown, unposted)),
        before,
        hasEarlier ? shown.getFirst().seq() : 0,
        viewer.readSeq());
  }

  private HttpReply text(HttpExchange exchange) {
    var id = new MessageId(exchange.name("message"));
    return PageReply.plain(said(exchange.caller(), exchange.name("id"), id).text());
  }

  private SpaceMessage said(Principal who, String space, MessageId id) {
    SpaceMessage message = spaces.messages().require(who, id);
    if (!message.space().equals(space)) {
      throw ErrorCode.MESSAGE_NOT_FOUND.fault(
          "message \"" + id + "\" not found in this space", "check the id");
    }
    return message;
  }

  private SpacePage.ReplyThread thread(
      Space space, SpaceConversation.ConversationViewer viewer, MessageId id, long before) {
    Principal who = viewer.who();
    SpaceMessage parent = said(who, space.id(), id);
    SpaceHistory.HistoryPage replies =
        spaces.history().lastReplies(who, id, before > 0 ? before : null, REPLIES);
    return engine.<SpacePage.ReplyThread>read(tx -> {
      var conversation = new SpaceConversation(tx, viewer, frames.now());
      return new SpacePage.ReplyThread(
          conversation.of(null, List.of(parent)).getFirst(),
          conversation.of(null, replies.messages()),
          before,
          replies.hasMore() ? replies.messages().getFirst().seq() : 0);
    });
  }

  private List<SpaceParticipant> participants(
      Principal viewer, List<Membership> members, List<String> typing) {
    return engine.read(tx -> {
      var faces = new DisplayNames(tx, viewer);
      return members.stream()
          .map(one ->
              new SpaceParticipant(
                  one.member().key(),
                  faces.of(one.member()),
                  name(tx, one),
                  one.member().isAgent() ? "agent" : "person",
                  typing.contains(one.handle())))
          .toList();
    });
  }

  private static String name(Tx tx, Membership one) {
    Optional<String> name =
        one.member().isAgent()
            ? AgentTree.find(tx, one.member().key()).map(Agent::name)
            : People.find(tx, one.handle()).map(Person::displayName);
    return name.orElse(one.handle());
  }

  /// Reads the latest messages and open questions of spaces, with one query each.
  private static final class LatestMessages {
    /// Uses the index on message numbers: the cost does not depend on the number of messages.
    private static final String LATEST =
        """
        select said.space_id, said.author, substr(said.text, 1, 2000) as text, said.created_at,
          case when said.kind = 'tool' then said.metadata end as asked
        from space join space_message said on said.space_id = space.id and said.seq = (
          select one.seq from space_message one
          where one.space_id = space.id
            and (one.kind = 'message' or (one.kind = 'tool' and one.status = 'requires_action'
              and not exists (
                select 1 from pending_call
                where pending_call.message_id = one.id and pending_call.executor is not null)))
          order by one.seq desc limit 1)
        where space.id in (select value from MEMBERS)
        """;

    private LatestMessages() {}

    /// Latest messages by space id; without empty spaces.
    static Map<String, LatestMessage> in(Tx tx, List<SpaceRow> spaces, Principal viewer) {
      var faces = new DisplayNames(tx, viewer);
      var latest = new HashMap<String, LatestMessage>();
      tx.list(
              LATEST.replace("MEMBERS", tx.dialect().members()),
              row -> Map.entry(row.text("space_id"), latest(tx, row, faces)),
              Json.text(spaces.stream().map(SpaceRow::id).toList()))
          .forEach(pair -> latest.put(pair.getKey(), pair.getValue()));
      return latest;
    }

    /// Numbers of open questions by space id.
    static Map<String, Long> waiting(Tx tx) {
      var waiting = new HashMap<String, Long>();
      tx.list(
              """
              select space_id, count(*) as n from pending_call
              where space_id is not null and status in ('pending', 'asking') and executor is null
              group by space_id
              """,
              row -> Map.entry(row.text("space_id"), row.number("n")))
          .forEach(pair -> waiting.put(pair.getKey(), pair.getValue()));
      return waiting;
    }

    private static LatestMessage latest(Tx tx, ResultRow row, DisplayNames faces) {
      @Nullable String asked = row.textOrNull("asked");
      return new LatestMessage(
          faces.of(row.text("author")).handle(),
          Optional.ofNullable(asked)
              .flatMap(call -> PendingCalls.find(tx, Json.own(call).path("callId").asText()))
              .map(QuestionReader::heading)
              .orElseGet(() -> QuestionReader.line(row.text("text"))),
          asked != null,
          row.instant("created_at"));
    }
  }
}
