package dev.substrat.server.api.spaces;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.space.Membership;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceChange;
import dev.substrat.space.SpaceRequest;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// HTTP routes of spaces and their members. The operator sees all spaces, a person the public ones
/// and their own; for other spaces the response is the same as for a missing one.
public final class SpaceRoutes {
  private static final int MAX_PAGE_SIZE = 200;
  private static final String DRY_RUN = "true: validate only, change nothing.";

  /// Response of a dry run without problems.
  private static final HttpReply REHEARSED = HttpReply.ok(Map.of("dryRun", true));

  private final Spaces spaces;
  private final MemberResolver guests;

  public SpaceRoutes(Database database, Spaces spaces) {
    this.spaces = spaces;
    this.guests = new MemberResolver(database);
  }

  /// A space to create.
  public record NewSpace(
      @JsonPropertyDescription("Default: derived from the name.") @Nullable String id,
      String name,
      @JsonPropertyDescription("Kind: public (default), private or dm.") @Nullable String kind,
      @Nullable String topic,
      @JsonPropertyDescription(
              "Agents that a message wakes: all (default), sequential, mention, none, dm-chain.")
          @Nullable String wakePolicy,
      @JsonPropertyDescription(
              "Chain depth from which messages no longer wake agents. Default: the daemon's"
                  + " setting.")
          @Nullable Integer maxChainDepth,
      @JsonPropertyDescription("Agents by id or handle, people by name, operator.")
          @Nullable List<String> members) {

    /// Converts it; `known` resolves the name of a member.
    public Spaces.SpaceDefinition definition(UnaryOperator<String> known) {
      new SpaceRequest(name, kind, topic, wakePolicy, maxChainDepth).requireValid();
      return new Spaces.SpaceDefinition(
          id,
          name,
          kind == null ? Space.SpaceKind.PUBLIC : Space.SpaceKind.parse(kind),
          topic,
          wakePolicy == null ? null : Space.WakePolicy.parse(wakePolicy),
          maxChainDepth,
          members == null ? List.of() : members.stream().map(known).toList());
    }
  }

  /// Changes; a missing field stays unchanged.
  public record SpaceUpdate(
      @Nullable String name,
      @JsonPropertyDescription("An empty text removes the topic.") @Nullable String topic,
      @JsonPropertyDescription(
              "Agents that a message wakes: all, sequential, mention, none, dm-chain.")
          @Nullable String wakePolicy,
      @JsonPropertyDescription("Chain depth from which messages no longer wake agents.")
          @Nullable Integer maxChainDepth) {

    private SpaceChange toSpaceChange() {
      new SpaceRequest(name, null, topic, wakePolicy, maxChainDepth).requireValid();
      return new SpaceChange(
          name,
          topic,
          wakePolicy == null ? null : Space.WakePolicy.parse(wakePolicy),
          maxChainDepth == null ? null : new SpaceChange.ChainDepthChange(maxChainDepth));
    }
  }

  /// A member to add or remove.
  public record MemberRequest(
      @JsonPropertyDescription("An agent by id or handle, a person by name, or operator.")
          String member) {}

  /// `next` is the position of the next page, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record SpaceListPage(List<SpaceView.SpaceSummary> spaces, @Nullable String next) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
                "/api/spaces",
                Scope.SPACES_READ,
                "List the spaces that you can see, by id.",
                this::list)
            .withQuery("limit", "Maximum number of spaces, up to " + MAX_PAGE_SIZE + ".")
            .withQuery("after", "`next` of the previous page."),
        HttpRoute.write(
                "/api/spaces", Scope.SPACES_WRITE, "Create a space.", NewSpace.class, this::create)
            .withQuery("dryRun", DRY_RUN + " The members are not validated."),
        HttpRoute.read(
            "/api/spaces/{id}",
            Scope.SPACES_READ,
            "Return a space with its members, typing indicators and held messages.",
            exchange -> HttpReply.ok(details(exchange.caller(), exchange.name("id")))),
        changing(),
        HttpRoute.write(
            "/api/spaces/{id}/members",
            Scope.SPACES_POST,
            "Add a member; a person can add others only to their own spaces.",
            MemberRequest.class,
            this::add),
        new HttpRoute(
            "DELETE",
            "/api/spaces/{id}/members",
            Scope.SPACES_POST,
            "Remove a member; a person can remove only themselves.",
            MemberRequest.class,
            List.of(),
            this::remove),
        HttpRoute.write(
            "/api/spaces/{id}/release",
            Scope.SPACES_POST,
            "Release all messages held by a guard in a space.",
            null,
            this::release));
  }

  private HttpRoute changing() {
    return HttpRoute.replace(
            "/api/spaces/{id}",
            Scope.SPACES_POST,
            "Change a space; its kind cannot change. Only the operator can change wakePolicy and"
                + " maxChainDepth.",
            SpaceUpdate.class,
            this::change)
        .withQuery("dryRun", DRY_RUN);
  }

  private HttpReply list(HttpExchange exchange) {
    Principal who = exchange.caller();
    int limit = exchange.limit(MAX_PAGE_SIZE);
    Map<String, Long> unread = spaces.history().unread(who);
    List<SpaceView.SpaceSummary> page =
        spaces.list(who, exchange.query("after").orElse(""), limit).stream()
            .map(listed -> line(listed, unread))
            .toList();
    return HttpReply.ok(new SpaceListPage(page, page.size() < limit ? null : page.getLast().id()));
  }

  private static SpaceView.SpaceSummary line(
      Spaces.SpaceWithMemberCount listed, Map<String, Long> unread) {
    Space space = listed.space();
    return SpaceView.SpaceSummary.of(
        space, unread.getOrDefault(space.id(), 0L), listed.memberCount());
  }

  private HttpReply create(HttpExchange exchange) {
    if (exchange.flag("dryRun")) {
      spaces.validate(
          exchange.caller(), exchange.body(NewSpace.class).definition(UnaryOperator.identity()));
      return REHEARSED;
    }
    Spaces.SpaceDefinition request = exchange.body(NewSpace.class).definition(guests::known);
    Principal who = exchange.caller();
    return HttpReply.created(details(who, spaces.create(who, request).id()));
  }

  /// Adds what lists do not show: members, typing indicators and held messages.
  private ObjectNode details(Principal who, String id) {
    Space space = spaces.require(who, id);
    List<Membership> members = spaces.members(who, space.id());
    long unread = spaces.history().unread(who).getOrDefault(space.id(), 0L);
    var json = (ObjectNode) Json.tree(SpaceView.SpaceSummary.of(space, unread, members.size()));
    Spaces.HeldWakeups standing = spaces.heldState(who, space.id());
    json.put("held", standing.held()).put("heldReason", standing.reason());
    json.set("typing", Json.tree(spaces.typing(who, space.id())));
    json.set("members", Json.tree(participants(members)));
    return json;
  }

  private List<SpaceView.ParticipantView> participants(List<Membership> members) {
    return members.stream()
        .map(member -> SpaceView.ParticipantView.of(member, guests.name(member)))
        .toList();
  }

  private HttpReply change(HttpExchange exchange) {
    Principal who = exchange.caller();
    SpaceChange wanted = exchange.body(SpaceUpdate.class).toSpaceChange();
    if (exchange.flag("dryRun")) {
      spaces.validate(who, exchange.name("id"), wanted);
      return REHEARSED;
    }
    return HttpReply.ok(details(who, spaces.change(who, exchange.name("id"), wanted).id()));
  }

  private HttpReply add(HttpExchange exchange) {
    Principal who = exchange.caller();
    String newcomer = guests.known(exchange.body(MemberRequest.class).member());
    spaces.add(who, exchange.name("id"), newcomer);
    return members(who, exchange.name("id"));
  }

  private HttpReply remove(HttpExchange exchange) {
    Principal who = exchange.caller();
    String leaver = guests.everKnown(exchange.body(MemberRequest.class).member());
    spaces.remove(who, exchange.name("id"), leaver);
    // A person who has left a private space no longer sees its members.
    return who.isOperator() ? members(who, exchange.name("id")) : HttpReply.noContent();
  }

  private HttpReply release(HttpExchange exchange) {
    int released = spaces.release(exchange.caller(), exchange.name("id"));
    return HttpReply.ok(Map.of("released", released));
  }

  private HttpReply members(Principal who, String space) {
    return HttpReply.ok(Map.of("members", participants(spaces.members(who, space))));
  }
}
