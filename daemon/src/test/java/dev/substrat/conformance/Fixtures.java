package dev.substrat.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.Change;
import dev.substrat.mcp.spi.Contact;
import dev.substrat.mcp.spi.Host;
import dev.substrat.mcp.spi.Listing;
import dev.substrat.mcp.spi.Offer;
import dev.substrat.mcp.spi.Outcome;
import dev.substrat.mcp.spi.Refusal;
import dev.substrat.mcp.spi.Task;
import dev.substrat.mcp.spi.Watch;
import dev.substrat.mcp.wire.MirroredArguments;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.tool.pending.PendingCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What the suite asks for by name: the same for everybody.
final class Fixtures implements Host, Offer {
  private final TreeMap<String, Fixture> tools = new TreeMap<>();
  private final Set<LinkedBlockingQueue<Change>> watchers = ConcurrentHashMap.newKeySet();
  private final LongTools longTools;

  /// One tool.
  interface Fixture {
    Outcome call(ObjectNode arguments, Contact contact);
  }

  Fixtures(Database database, PendingCalls calls) {
    this.longTools = new LongTools(database, calls);
    new PlainTools(change -> watchers.forEach(queue -> queue.add(change))).register(this);
    AskingTools.register(this);
    longTools.register(this);
  }

  @Override
  public void require(Principal principal, String claimed) {
    throw new UnsupportedOperationException("the suite claims to be nobody");
  }

  void tool(String name, Fixture fixture) {
    tools.put(name, fixture);
  }

  static ObjectNode form(String file) {
    var question = Json.object().put("method", "elicitation/create");
    question.set("params", json(file));
    return question;
  }

  private static ObjectNode json(String file) {
    try (var in = Fixtures.class.getResourceAsStream("/conformance/" + file)) {
      var text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return (ObjectNode) Json.own(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Offer offer(Principal principal, @Nullable String idempotencyKey) {
    return this;
  }

  @Override
  public Watch watch(Principal principal) {
    var queue = new LinkedBlockingQueue<Change>();
    watchers.add(queue);
    return new Watch() {
      @Override
      public Set<Change> next(Duration longest) throws InterruptedException {
        Change change = queue.poll(longest.toMillis(), TimeUnit.MILLISECONDS);
        return change == null ? Set.of() : Set.of(change);
      }

      @Override
      public void close() {
        watchers.remove(queue);
      }
    };
  }

  @Override
  public String instructions(Principal principal) {
    return "Fixtures of the conformance suite.";
  }

  @Override
  public Listing tools() {
    return new Listing(tools.keySet().stream().map(Fixtures::card).toList());
  }

  private static ObjectNode card(String tool) {
    var card = Json.object().put("name", tool).put("description", "For the suite: " + tool);
    card.set("inputSchema", schema(tool));
    return card;
  }

  private static ObjectNode schema(String tool) {
    return switch (tool) {
      case "json_schema_2020_12_tool" -> json("rich-schema.json");
      case "test_header_mirror" -> json("mirrored-schema.json");
      default -> PlainTools.anything();
    };
  }

  @Override
  public MirroredArguments mirrored(String tool) {
    return MirroredArguments.of(schema(tool));
  }

  @Override
  public Outcome call(String tool, ObjectNode arguments, Contact contact) {
    Fixture fixture = tools.get(tool);
    if (fixture == null) {
      throw Refusal.badParams("there is no tool " + tool);
    }
    return fixture.call(arguments, contact);
  }

  @Override
  public List<ObjectNode> prompts() {
    return Board.prompts();
  }

  @Override
  public Outcome prompt(String name, ObjectNode arguments, Contact contact) {
    return Board.prompt(name, arguments, contact);
  }

  @Override
  public List<ObjectNode> resources() {
    return Board.resources();
  }

  @Override
  public List<ObjectNode> templates() {
    return Board.templates();
  }

  @Override
  public Outcome read(String uri, Contact contact) {
    return Board.read(uri, contact);
  }

  @Override
  public List<String> complete(ObjectNode what, ObjectNode argument, ObjectNode others) {
    return List.of(argument.path("value").asText() + "ing");
  }

  @Override
  public Optional<Task> task(String id) {
    return longTools.task(id);
  }

  @Override
  public boolean answerTask(String id, ObjectNode answers) {
    return longTools.answer(id, answers);
  }

  @Override
  public boolean cancelTask(String id) {
    return longTools.cancel(id);
  }
}
