package dev.substrat.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.CatalogChange;
import dev.substrat.mcp.spi.ChangeWatch;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.McpCatalog;
import dev.substrat.mcp.spi.McpCatalogSource;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.mcp.spi.McpTask;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.spi.ToolDefinitionList;
import dev.substrat.mcp.wire.HeaderArguments;
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

/// Fixtures that the conformance suite expects by name, equal for every client.
final class Fixtures implements McpCatalogSource, McpCatalog {
  private final TreeMap<String, Fixture> tools = new TreeMap<>();
  private final Set<LinkedBlockingQueue<CatalogChange>> watchers = ConcurrentHashMap.newKeySet();
  private final DeferredResultTools longTools;

  /// One tool.
  interface Fixture {
    McpOutcome call(ObjectNode arguments, ClientChannel contact);
  }

  Fixtures(Database database, PendingCalls calls) {
    this.longTools = new DeferredResultTools(database, calls);
    new ImmediateTools(change -> watchers.forEach(queue -> queue.add(change))).register(this);
    ElicitationTools.register(this);
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
  public McpCatalog catalogOf(Principal principal, @Nullable String idempotencyKey) {
    return this;
  }

  @Override
  public ChangeWatch watch(Principal principal) {
    var queue = new LinkedBlockingQueue<CatalogChange>();
    watchers.add(queue);
    return new ChangeWatch() {
      @Override
      public Set<CatalogChange> next(Duration longest) throws InterruptedException {
        CatalogChange change = queue.poll(longest.toMillis(), TimeUnit.MILLISECONDS);
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
  public ToolDefinitionList tools() {
    return new ToolDefinitionList(tools.keySet().stream().map(Fixtures::card).toList());
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
      default -> ImmediateTools.anything();
    };
  }

  @Override
  public HeaderArguments mirrored(String tool) {
    return HeaderArguments.of(schema(tool));
  }

  @Override
  public McpOutcome call(String tool, ObjectNode arguments, ClientChannel contact) {
    Fixture fixture = tools.get(tool);
    if (fixture == null) {
      throw ProtocolError.badParams("there is no tool " + tool);
    }
    return fixture.call(arguments, contact);
  }

  @Override
  public List<ObjectNode> prompts() {
    return PromptAndResourceFixtures.prompts();
  }

  @Override
  public McpOutcome prompt(String name, ObjectNode arguments, ClientChannel contact) {
    return PromptAndResourceFixtures.prompt(name, arguments, contact);
  }

  @Override
  public List<ObjectNode> resources() {
    return PromptAndResourceFixtures.resources();
  }

  @Override
  public List<ObjectNode> templates() {
    return PromptAndResourceFixtures.templates();
  }

  @Override
  public McpOutcome read(String uri, ClientChannel contact) {
    return PromptAndResourceFixtures.read(uri, contact);
  }

  @Override
  public List<String> complete(ObjectNode what, ObjectNode argument, ObjectNode others) {
    return List.of(argument.path("value").asText() + "ing");
  }

  @Override
  public Optional<McpTask> task(String id) {
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
