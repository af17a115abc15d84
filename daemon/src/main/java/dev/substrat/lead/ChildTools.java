package dev.substrat.lead;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Json;
import dev.substrat.team.Agent;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools an agent leads its children with.
public final class ChildTools {
  private final Children children;
  private final Inspection inspection;

  public ChildTools(Children children, Inspection inspection) {
    this.children = children;
    this.inspection = inspection;
  }

  /// The child an agent wants.
  public record Spawn(
      @JsonPropertyDescription("What you will call it; unique among your children.") String name,
      @JsonPropertyDescription("Who it is and what it shall do; it starts with this.")
          String instructions,
      @JsonPropertyDescription("worker (default) or reviewer.") @Nullable String role,
      @JsonProperty("workspace_subdir")
          @JsonPropertyDescription("Sub-directory of your workspace it works in.")
          @Nullable String workspaceSubdir) {}

  /// Somebody near, by name.
  public record Named(String name) {}

  /// Somebody near, and a word to them.
  public record Poke(String name, @Nullable String text) {}

  /// Nothing to say.
  public record Nothing() {}

  public List<Tool> tools() {
    return List.of(
        SimpleTool.changing(
            "spawn_agent",
            Spawn.class,
            """
            Creates a child of yours. Use it to hand on a piece of work. It returns at once; the child
            starts with its instructions after your turn, and tells you when it has something.\
            """,
            (call, input) -> {
              Agent child =
                  children.spawn(
                      call,
                      new Children.Wish(
                          input.name(),
                          input.instructions(),
                          input.role(),
                          input.workspaceSubdir()));
              return done(
                  Json.object()
                      .put("status", "created")
                      .put("agent_id", child.id().value())
                      .put("name", child.name()));
            }),
        SimpleTool.looking(
            "inspect_agent",
            Named.class,
            """
            Shows what a child of yours is doing: its state, its newest messages, its turns and tool
            calls. Use it when you need to know, not to wait for something. Reading consumes nothing.\
            """,
            (call, input) -> done(inspection.of(call.caller().agent(), input.name()))),
        SimpleTool.looking(
            "list_children",
            Nothing.class,
            "Lists your children with their states. It returns at once.",
            (call, _) -> done(inspection.children(call.caller().agent()))),
        SimpleTool.changing(
            "terminate_agent",
            Named.class,
            """
            Ends a child of yours and everyone below it. Use it when its work is done or hopeless. Who
            waits for it is told.\
            """,
            (call, input) -> {
              children.terminate(call, input.name());
              return done(Json.object().put("status", "terminated").put("name", input.name()));
            }),
        SimpleTool.changing(
            "poke",
            Poke.class,
            "Wakes your parent, a child or a sibling, with a word if you like. It returns at once.",
            (call, input) -> {
              children.poke(call, input.name(), input.text());
              return done(Json.object().put("status", "poked").put("name", input.name()));
            }),
        SimpleTool.changing(
            "gate",
            Named.class,
            "Pauses a child: its mail waits and no turn starts until you ungate it or permit one.",
            (call, input) -> {
              children.gate(call, input.name(), true);
              return done(Json.object().put("status", "gated").put("name", input.name()));
            }),
        SimpleTool.changing(
            "ungate",
            Named.class,
            "Ends the pause of a child; what waited starts its next turn.",
            (call, input) -> {
              children.gate(call, input.name(), false);
              return done(Json.object().put("status", "ungated").put("name", input.name()));
            }),
        SimpleTool.changing(
            "permit_turn",
            Named.class,
            "Lets a paused child take one turn.",
            (call, input) -> {
              children.permitTurn(call, input.name());
              return done(Json.object().put("status", "permitted").put("name", input.name()));
            }));
  }

  private static ToolReply done(ObjectNode json) {
    return new ToolReply.Done(json);
  }
}
