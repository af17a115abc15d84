package dev.substrat.server.console.spaces;

import dev.substrat.access.person.People;
import dev.substrat.http.server.FormData;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.server.console.FlashMessage;
import dev.substrat.server.console.PageReply;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceChange;
import dev.substrat.space.SpaceChange.ChainDepthChange;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.SpaceMessages;
import dev.substrat.space.Spaces;
import dev.substrat.turn.engine.Engine;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Actions in spaces: post, react, join, leave, change settings, release held wake-ups.
public final class SpaceActions {
  private final Engine engine;
  private final Spaces spaces;

  public SpaceActions(Engine engine) {
    this.engine = engine;
    this.spaces = engine.spaces();
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.write("/spaces", Scope.SPACES_WRITE, "Creates a space.", null, this::create),
        here("messages", "Posts a message.", this::post),
        here("reactions", "Adds or removes a reaction.", this::react),
        here("members", "Adds a member.", this::add),
        here("leave", "Removes a member.", this::remove),
        here("settings", "Changes a space.", this::change),
        here("release", "Releases held wake-ups.", this::release));
  }

  private static HttpRoute here(String verb, String summary, HttpRoute.RouteHandler handler) {
    return HttpRoute.write("/spaces/{id}/" + verb, Scope.SPACES_POST, summary, null, handler);
  }

  private HttpReply create(HttpExchange exchange) {
    FormData form = exchange.form();
    List<String> members =
        Stream.of(form.text("members").split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .map(this::known)
            .toList();
    var wish =
        new Spaces.SpaceDefinition(
            null,
            form.text("name").strip(),
            Space.SpaceKind.parse(form.text("kind")),
            form.text("topic").strip(),
            Space.WakePolicy.parse(form.text("wake")),
            null,
            members);
    Space space = spaces.create(exchange.caller(), wish);
    return PageReply.goTo("/spaces/" + space.id(), FlashMessage.CREATED);
  }

  private String known(String name) {
    return engine.read(tx -> People.key(tx, name));
  }

  private HttpReply post(HttpExchange exchange) {
    FormData form = exchange.form();
    var post =
        new SpaceMessages.PostRequest(
            exchange.name("id"), form.text("text"), parent(form.text("parent")));
    SpaceMessage said = spaces.messages().post(exchange.caller(), post, form.idempotencyKey());
    return back(said.space(), form.text("parent"));
  }

  private static @Nullable MessageId parent(String id) {
    return id.isEmpty() ? null : new MessageId(id);
  }

  private static HttpReply back(String space, String thread) {
    return PageReply.goTo("/spaces/" + space + (thread.isEmpty() ? "" : "?thread=" + thread));
  }

  /// Toggles a reaction.
  private HttpReply react(HttpExchange exchange) {
    FormData form = exchange.form();
    Principal who = exchange.caller();
    String[] sign = form.text("sign").split(" ", 2);
    var id = new MessageId(sign[0]);
    String emoji = sign.length == 2 ? sign[1] : "";
    SpaceMessage message = spaces.messages().require(who, id);
    boolean isGiven =
        message.reactions().stream()
            .anyMatch(one -> one.author().equals(SpaceMember.of(who)) && one.emoji().equals(emoji));
    if (isGiven) {
      spaces.messages().unreact(who, id, emoji);
    } else {
      spaces.messages().react(who, id, emoji);
    }
    return back(message.space(), form.text("thread"));
  }

  private HttpReply add(HttpExchange exchange) {
    String space = exchange.name("id");
    spaces.add(exchange.caller(), space, known(exchange.form().text("member").strip()));
    return back(space, "");
  }

  private HttpReply remove(HttpExchange exchange) {
    Principal who = exchange.caller();
    String space = exchange.name("id");
    String name = exchange.form().text("member");
    String leaver = engine.read(tx -> People.keyEver(tx, name));
    spaces.remove(who, space, leaver);
    // A person who left a private space cannot see it.
    return who.isOperator() ? back(space, "") : PageReply.goTo("/spaces");
  }

  private HttpReply change(HttpExchange exchange) {
    FormData form = exchange.form();
    var change =
        new SpaceChange(
            form.text("name").strip(),
            form.text("topic").strip(),
            form.has("wake") ? Space.WakePolicy.parse(form.text("wake")) : null,
            form.has("depth") ? depth(form.text("depth").strip()) : null);
    Space space = spaces.change(exchange.caller(), exchange.name("id"), change);
    return PageReply.goTo("/spaces/" + space.id(), FlashMessage.SAVED);
  }

  /// An empty field means the default of the daemon.
  private static ChainDepthChange depth(String text) {
    if (text.isEmpty()) {
      return new ChainDepthChange(null);
    }
    if (!text.matches("[0-9]{1,6}")) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "maximum chain depth must be a number", "enter a number");
    }
    return new ChainDepthChange(Integer.valueOf(text));
  }

  private HttpReply release(HttpExchange exchange) {
    exchange.form();
    String space = exchange.name("id");
    spaces.release(exchange.caller(), space);
    return PageReply.goTo("/spaces/" + space, FlashMessage.RELEASED);
  }
}
