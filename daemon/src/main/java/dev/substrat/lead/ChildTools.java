package dev.substrat.lead;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.budget.Caps;
import dev.substrat.json.OneOf;
import dev.substrat.json.OrNull;
import dev.substrat.message.AgentMail;
import dev.substrat.team.Agent;
import dev.substrat.tool.Call;
import dev.substrat.tool.Effect;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools an agent leads its children with.
public final class ChildTools {
  private final Children children;
  private final Inspection inspection;
  private final AgentMail mail;

  public ChildTools(Children children, Inspection inspection, AgentMail mail) {
    this.children = children;
    this.mail = mail;
    this.inspection = inspection;
  }

  /// The child an agent wants.
  public record Spawn(
      @JsonPropertyDescription("What you will call it; unique among your children.") String name,
      @JsonPropertyDescription("Who it is and what it shall do; it starts with this.")
          String instructions,
      @JsonProperty(defaultValue = "worker")
          @OneOf({"worker", "reviewer"})
          @JsonPropertyDescription("What the child is for.")
          @Nullable String role,
      @JsonProperty("workspace_subdir")
          @OrNull
          @JsonPropertyDescription(
              "Sub-directory of your workspace that it works in. Default: your whole workspace.")
          @Nullable String workspaceSubdir,
      @JsonProperty("budget_usd")
          @JsonPropertyDescription("US dollars it may cost; without it, it draws on yours.")
          @Nullable Double budgetUsd,
      @JsonProperty("budget_tokens") @JsonPropertyDescription("Tokens it may use.")
          @Nullable Long budgetTokens,
      @JsonProperty("budget_turns") @JsonPropertyDescription("Turns it may take.")
          @Nullable Long budgetTurns) {

    Caps budget() {
      return new Caps(budgetUsd, budgetTokens, budgetTurns, null);
    }
  }

  /// The child that is there now.
  record Spawned(String status, @JsonProperty("agent_id") String agentId, String name) {}

  /// A child, by name.
  public record Named(@JsonPropertyDescription("Name of the child.") String name) {}

  /// An agent to wake, and what to say to it.
  public record Poke(
      @JsonPropertyDescription("Name of your parent, a child or a sibling.") String name,
      @JsonPropertyDescription("What to tell it. Default: that you woke it.")
          @Nullable String text) {}

  /// Nothing to say.
  public record Nothing() {}

  public List<Tool> tools() {
    return List.of(spawn(), inspect(), list(), terminate(), poke(), gate(), ungate(), permitTurn());
  }

  private Tool spawn() {
    return SimpleTool.of(
        "spawn_agent",
        Effect.DOES,
        Spawn.class,
        Spawned.class,
        """
        Creates a child of yours. Use it to hand on a piece of work. It returns at once; the child
        starts with its instructions after your turn, and tells you when it has something.\
        """,
        (call, input) -> {
          var wish =
              new Children.Wish(
                  input.name(),
                  input.instructions(),
                  input.role(),
                  input.workspaceSubdir(),
                  input.budget());
          Agent child = children.spawn(call, wish);
          return new Spawned("created", child.id().value(), child.name());
        });
  }

  private Tool inspect() {
    return SimpleTool.of(
        "inspect_agent",
        Effect.LOOKS,
        Named.class,
        Glimpse.class,
        """
        Shows what a child of yours is doing: its state, its newest messages, its turns and tool
        calls. Use it when you need to know, not to wait for something. Reading consumes nothing.\
        """,
        (call, input) -> inspection.of(call.caller().agent(), input.name()));
  }

  private Tool list() {
    return SimpleTool.of(
        "list_children",
        Effect.LOOKS,
        Nothing.class,
        Inspection.Family.class,
        "Lists your children with their states. It returns at once.",
        (call, _) -> inspection.children(call.caller().agent()));
  }

  private Tool terminate() {
    return leading(
        "terminate_agent",
        Effect.ENDS,
        "terminated",
        """
        Ends a child of yours and everyone below it. Use it when its work is done or hopeless. Who
        waits for it is told.\
        """,
        children::terminate);
  }

  private Tool poke() {
    return SimpleTool.of(
            "poke",
            Effect.DOES,
            Poke.class,
            Confirmed.class,
            "Wakes your parent, a child or a sibling, with a word if you like. It returns at once.",
            (call, input) -> {
              String word =
                  input.text() == null || input.text().isBlank()
                      ? call.caller().agent().name() + " pokes you"
                      : input.text();
              mail.poke(call, input.name(), word);
              return new Confirmed("poked", input.name());
            })
        .inOneTransaction();
  }

  private Tool gate() {
    return leading(
        "gate",
        Effect.SETS,
        "gated",
        "Pauses a child: its mail waits and no turn starts until you ungate it or permit one.",
        (call, name) -> children.gate(call, name, true));
  }

  private Tool ungate() {
    return leading(
        "ungate",
        Effect.SETS,
        "ungated",
        "Ends the pause of a child; what waited starts its next turn.",
        (call, name) -> children.gate(call, name, false));
  }

  private Tool permitTurn() {
    return leading(
        "permit_turn",
        Effect.DOES,
        "permitted",
        "Lets a paused child take one turn.",
        children::permitTurn);
  }

  /// A tool that does something to one child and says that it did.
  private static Tool leading(
      String name, Effect effect, String status, String description, Lead lead) {
    return SimpleTool.of(
        name,
        effect,
        Named.class,
        Confirmed.class,
        description,
        (call, input) -> {
          lead.to(call, input.name());
          return new Confirmed(status, input.name());
        });
  }

  private interface Lead {
    void to(Call call, String child);
  }
}
