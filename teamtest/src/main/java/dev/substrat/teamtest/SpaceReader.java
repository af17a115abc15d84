package dev.substrat.teamtest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.access.person.People;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.server.api.spaces.SpaceRoutes;
import dev.substrat.space.SpaceHistory;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.SpaceMessages;
import dev.substrat.turn.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Creates spaces, posts messages and reads histories for the test API.
final class SpaceReader {
  private static final JsonSchema SPACE = JsonSchema.ofRecord(SpaceRoutes.NewSpace.class);

  private final Engine engine;
  private final People people;

  SpaceReader(Engine engine) {
    this.engine = engine;
    var dependencies = engine.dependencies();
    this.people =
        new People(
            dependencies.database(),
            dependencies.events(),
            engine.credentials(),
            dependencies.clock());
  }

  /// Creates a space as the operator and returns its id. Members that are not agents are created as
  /// people.
  String create(JsonNode wanted) {
    SPACE.require(wanted);
    wanted.path("members").forEach(member -> createPerson(member.asText()));
    var wish =
        Json.as(wanted, SpaceRoutes.NewSpace.class)
            .definition(
                member -> engine.dependencies().database().read(tx -> People.key(tx, member)));
    return engine.spaces().create(new Principal.OperatorPrincipal(), wish).id();
  }

  /// Creates a person, unless the name belongs to the operator, an agent or a person.
  private void createPerson(String name) {
    boolean isKnown =
        name.equals(Principal.OPERATOR_NAME)
            || engine.agents().find(name).isPresent()
            || engine.dependencies().database().read(tx -> People.find(tx, name).isPresent());
    if (!isKnown) {
      people.create(name, null);
    }
  }

  SpacePost post(String who, String space, String text, @Nullable SpacePost parent) {
    if (engine.agents().find(who).isPresent()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          who + " is an agent; a test cannot post as an agent",
          "post as the operator or a person, or let the agent's playbook post");
    }
    createPerson(who);
    var key = engine.dependencies().database().<String>read(tx -> People.key(tx, who));
    var post =
        new SpaceMessages.PostRequest(
            space, text, parent == null ? null : new MessageId(parent.id()));
    return post(engine.spaces().messages().post(Principal.parse(key), post, null));
  }

  /// All messages of a space, oldest first.
  List<SpacePost> history(String space) {
    var all = new ArrayList<SpacePost>();
    long last = 0;
    SpaceHistory.HistoryPage page;
    do {
      var next = new SpaceHistory.HistoryRange(SpaceHistory.MAX_COUNT, null, last);
      page = engine.spaces().history().read(new Principal.OperatorPrincipal(), space, next);
      page.messages().forEach(message -> all.add(post(message)));
      last = all.isEmpty() ? last : all.getLast().seq();
    } while (page.hasMore());
    return List.copyOf(all);
  }

  private static SpacePost post(SpaceMessage message) {
    return new SpacePost(
        message.id().value(),
        message.space(),
        message.seq(),
        message.authorHandle(),
        message.text(),
        message.kind().toString(),
        message.parent() == null ? null : message.parent().value(),
        message.heldReason());
  }
}
