package dev.substrat.server.api.memory;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.memory.MemoryAuthor;
import dev.substrat.memory.SharedBlocks;
import dev.substrat.memory.SharedBlocks.AttachedAgent;
import dev.substrat.memory.SharedBlocks.SharedBlock;
import dev.substrat.platform.identity.Scope;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// HTTP routes of shared memory blocks. The block routes of an attached agent change such a block,
/// too.
public final class SharedBlockRoutes {
  private static final String ALL = "/api/shared-blocks";
  private static final String ONE = ALL + "/{block}";

  private final SharedBlocks blocks;

  public SharedBlockRoutes(SharedBlocks blocks) {
    this.blocks = blocks;
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
            ALL,
            Scope.MEMORY_READ,
            "List shared blocks and the agents attached to them.",
            _ -> HttpReply.ok(new SharedBlockList(blocks.list()))),
        HttpRoute.write(
                ALL,
                Scope.MEMORY_WRITE,
                "Create a shared block; attach agents to it next.",
                SharedBlocks.SharedBlockUpdate.class,
                this::make)
            .withQuery("dryRun", "true: validate only, change nothing. Agents are not checked."),
        HttpRoute.read(
            ONE,
            Scope.MEMORY_READ,
            "Return one shared block.",
            exchange -> HttpReply.ok(blocks.show(exchange.name("block")))),
        HttpRoute.replace(
            ONE,
            Scope.MEMORY_WRITE,
            "Change a shared block; omitted fields do not change.",
            MemoryRoutes.NewBlockContent.class,
            this::change),
        HttpRoute.write(
            ONE + "/agents",
            Scope.MEMORY_WRITE,
            "Attach a shared block to an agent, or change whether the agent can write the block.",
            AttachmentRequest.class,
            this::attach),
        HttpRoute.remove(
            ONE + "/agents/{id}",
            Scope.MEMORY_WRITE,
            "Detach a shared block from an agent.",
            exchange ->
                HttpReply.ok(
                    blocks.detach(
                        exchange.name("block"),
                        exchange.name("id"),
                        MemoryAuthor.operator(null)))));
  }

  /// An agent to attach.
  public record AttachmentRequest(
      @JsonPropertyDescription("Id or handle of the agent.") String agent,
      @JsonPropertyDescription("true: the agent can also write the block.")
          @Nullable Boolean mayWrite) {}

  /// All shared blocks.
  record SharedBlockList(List<SharedBlock> blocks) {}

  private HttpReply make(HttpExchange exchange) {
    var wanted = exchange.body(SharedBlocks.SharedBlockUpdate.class);
    if (exchange.flag("dryRun")) {
      blocks.validate(wanted, MemoryAuthor.operator(null));
      return HttpReply.ok(Map.of("dryRun", true));
    }
    return HttpReply.created(blocks.create(wanted, MemoryAuthor.operator(null)));
  }

  private HttpReply change(HttpExchange exchange) {
    var text = exchange.body(MemoryRoutes.NewBlockContent.class);
    return HttpReply.ok(
        blocks.change(exchange.name("block"), text.change(), MemoryAuthor.operator(text.reason())));
  }

  private HttpReply attach(HttpExchange exchange) {
    var wanted = exchange.body(AttachmentRequest.class);
    var reader = new AttachedAgent(wanted.agent(), Boolean.TRUE.equals(wanted.mayWrite()));
    return HttpReply.ok(blocks.attach(exchange.name("block"), reader, MemoryAuthor.operator(null)));
  }
}
