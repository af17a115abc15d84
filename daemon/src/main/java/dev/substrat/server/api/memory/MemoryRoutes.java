package dev.substrat.server.api.memory;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.memory.BlockAdministration;
import dev.substrat.memory.MemoryAuthor;
import dev.substrat.memory.MemoryBlock;
import dev.substrat.memory.MemoryFeatures;
import dev.substrat.memory.MemoryValues;
import dev.substrat.memory.MemoryVersion;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// HTTP routes of memory blocks and values.
public final class MemoryRoutes {
  private static final int PAGE = 200;
  private static final String ALL = "/api/agents/{id}/memory";
  private static final String ONE = ALL + "/{label}";
  private static final String VALUE = "/api/agents/{id}/values/{key}";

  private final Database database;
  private final MemoryFeatures memory;

  public MemoryRoutes(Database database, MemoryFeatures memory) {
    this.database = database;
    this.memory = memory;
  }

  public List<HttpRoute> routes() {
    return Stream.of(ofBlocks(), ofValues()).flatMap(List::stream).toList();
  }

  private List<HttpRoute> ofBlocks() {
    return List.of(
        HttpRoute.read(
            ALL,
            Scope.MEMORY_READ,
            "Return the blocks and values that an agent sees in every turn.",
            this::list),
        HttpRoute.read(
            ONE,
            Scope.MEMORY_READ,
            "Return one block of an agent.",
            exchange -> ok(memory.keptBlocks().show(agent(exchange), label(exchange)))),
        HttpRoute.replace(
                ONE,
                Scope.MEMORY_WRITE,
                "Create or replace a block of an agent; the agent's next turn sees the new"
                    + " content.",
                NewBlockContent.class,
                this::set)
            .withHeader("If-Match", "Expected current version, like `version` in the body."),
        HttpRoute.remove(
            ONE,
            Scope.MEMORY_WRITE,
            "Delete a block of an agent (undo restores the block), or detach a shared block.",
            this::delete),
        HttpRoute.read(
                ONE + "/versions",
                Scope.MEMORY_READ,
                "List the versions of a block with author and reason, newest first.",
                this::versions)
            .withQuery("limit", "Maximum number of versions, up to %d.".formatted(PAGE))
            .withQuery("after", "`next` of the previous page."),
        HttpRoute.write(
            ONE + "/undo",
            Scope.MEMORY_WRITE,
            "Restore the previous content of a block, as a new version.",
            null,
            this::undo));
  }

  private List<HttpRoute> ofValues() {
    return List.of(
        HttpRoute.replace(
            VALUE, Scope.MEMORY_WRITE, "Set a value of an agent.", NewValue.class, this::setValue),
        HttpRoute.remove(
            VALUE, Scope.MEMORY_WRITE, "Delete a value of an agent.", this::deleteValue));
  }

  private HttpReply setValue(HttpExchange exchange) {
    String value = exchange.body(NewValue.class).value();
    var fact = new MemoryValues.KeyValuePair(exchange.name("key"), value);
    database.transact(tx -> {
      memory
          .values()
          .put(tx, AgentTree.require(tx, agent(exchange)), fact, MemoryAuthor.operator(null));
      return true;
    });
    return HttpReply.noContent();
  }

  private HttpReply deleteValue(HttpExchange exchange) {
    memory.values().delete(agent(exchange), exchange.name("key"), MemoryAuthor.operator(null));
    return HttpReply.noContent();
  }

  /// New content and settings of a block.
  public record NewBlockContent(
      String content,
      @JsonPropertyDescription("Purpose of the block, shown to the agent.")
          @Nullable String description,
      @JsonPropertyDescription("Maximum number of characters. Default for a new block: 4000.")
          @Nullable Integer limit,
      @JsonPropertyDescription("true: only people can write it.") @Nullable Boolean readOnly,
      @JsonPropertyDescription("Reason of the change.") @Nullable String reason,
      @JsonPropertyDescription("Expected current version. Default: any.") @Nullable Long version) {

    BlockAdministration.BlockChange change() {
      return new BlockAdministration.BlockChange(content, description, limit, readOnly, version);
    }
  }

  /// New content of a value.
  public record NewValue(String value) {}

  /// The memory that an agent sees in every turn.
  record VisibleMemory(List<BlockView> blocks, List<MemoryValues.StoredValue> values) {}

  /// A block, with the name of its last author.
  record BlockView(
      String id,
      String label,
      String content,
      String description,
      int limit,
      boolean readOnly,
      boolean shared,
      boolean mayWrite,
      long version,
      long seen,
      String author,
      Instant updatedAt) {}

  /// Versions of a block; `next` is the position of the next page, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record BlockVersionPage(List<MemoryVersion> versions, @Nullable String next) {}

  private HttpReply list(HttpExchange exchange) {
    return HttpReply.ok(
        new VisibleMemory(
            memory.keptBlocks().list(agent(exchange)).stream().map(this::view).toList(),
            memory.values().all(agent(exchange))));
  }

  private HttpReply set(HttpExchange exchange) {
    var text = exchange.body(NewBlockContent.class);
    Long version = exchange.header("If-Match").map(MemoryRoutes::version).orElse(text.version());
    var change =
        new BlockAdministration.BlockChange(
            text.content(), text.description(), text.limit(), text.readOnly(), version);
    return ok(
        memory
            .keptBlocks()
            .set(agent(exchange), label(exchange), change, MemoryAuthor.operator(text.reason())));
  }

  /// Quoted, as browsers and proxies write it, or plain.
  private static Long version(String header) {
    try {
      return Long.valueOf(header.strip().replace("\"", ""));
    } catch (NumberFormatException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "If-Match must be the block's version, not " + header, "for example If-Match: \"3\"", e);
    }
  }

  private HttpReply delete(HttpExchange exchange) {
    memory.keptBlocks().delete(agent(exchange), label(exchange), MemoryAuthor.operator(null));
    return HttpReply.noContent();
  }

  private HttpReply undo(HttpExchange exchange) {
    return ok(
        memory.keptBlocks().undo(agent(exchange), label(exchange), MemoryAuthor.operator("undo")));
  }

  private HttpReply versions(HttpExchange exchange) {
    int limit = exchange.limit(PAGE);
    List<MemoryVersion> page =
        memory
            .keptBlocks()
            .versions(
                agent(exchange), label(exchange), exchange.number("after", Long.MAX_VALUE), limit);
    return HttpReply.ok(
        new BlockVersionPage(
            named(page), page.size() < limit ? null : String.valueOf(page.getLast().version())));
  }

  /// With the names of their authors.
  private List<MemoryVersion> named(List<MemoryVersion> versions) {
    return versions.stream()
        .map(one ->
            new MemoryVersion(
                one.version(), one.content(), name(one.author()), one.reason(), one.at()))
        .toList();
  }

  private HttpReply ok(MemoryBlock block) {
    return HttpReply.ok(view(block));
  }

  private BlockView view(MemoryBlock block) {
    return new BlockView(
        block.id(),
        block.label(),
        block.content(),
        block.description(),
        block.limit(),
        block.readOnly(),
        block.shared(),
        block.mayWrite(),
        block.version(),
        block.seen(),
        name(block.author()),
        block.updatedAt());
  }

  private String name(String author) {
    return database.read(tx -> AgentTree.find(tx, author)).map(Agent::handle).orElse(author);
  }

  private static String agent(HttpExchange exchange) {
    return exchange.name("id");
  }

  private static String label(HttpExchange exchange) {
    return exchange.name("label");
  }
}
