package dev.substrat.toolset.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.access.budget.BudgetCaps;
import dev.substrat.messaging.message.AgentMessages;
import dev.substrat.platform.json.AllowedValues;
import dev.substrat.platform.json.NullableKey;
import dev.substrat.team.Agent;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools for an agent's children.
public record ChildTools(ChildAgents children, AgentInspection inspection, AgentMessages messages) {
  /// The child an agent wants.
  public record SpawnInput(
      @JsonPropertyDescription("Name of the child, unique among your children.") String name,
      @JsonPropertyDescription("The child's role and task; its first turn gets this text.")
          String instructions,
      @JsonProperty(defaultValue = "worker")
          @AllowedValues({"worker", "reviewer"})
          @JsonPropertyDescription("Role of the child.")
          @Nullable String role,
      @JsonProperty("workspace_subdir")
          @NullableKey
          @JsonPropertyDescription(
              "Subdirectory of your workspace to work in. Default: the whole workspace.")
          @Nullable String workspaceSubdir,
      @JsonProperty("budget_usd")
          @JsonPropertyDescription("Maximum cost in US dollars. Default: your budget.")
          @Nullable Double budgetUsd,
      @JsonProperty("budget_tokens") @JsonPropertyDescription("Maximum tokens.")
          @Nullable Long budgetTokens,
      @JsonProperty("budget_turns") @JsonPropertyDescription("Maximum turns.")
          @Nullable Long budgetTurns) {

    BudgetCaps budget() {
      return new BudgetCaps(budgetUsd, budgetTokens, budgetTurns, null);
    }
  }

  /// The new child. `hint` explains how an external agent starts.
  record SpawnResult(
      String status,
      @JsonProperty("agent_id") String agentId,
      String name,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String hint) {}

  /// A child, by name.
  public record ChildNameInput(@JsonPropertyDescription("Name of the child.") String name) {}

  /// An agent to wake, and a text for it.
  public record PokeInput(
      @JsonPropertyDescription("Name of your parent, a child or a sibling.") String name,
      @JsonPropertyDescription("Text of the wake-up. Default: a note that you poked it.")
          @Nullable String text) {}

  public List<Tool> tools() {
    return List.of(spawn(), inspect(), terminate(), listTeam());
  }

  /// Tools to pause, wake and list others.
  public List<Tool> control() {
    return List.of(list(), poke(), gate(), ungate(), permitTurn());
  }

  private Tool spawn() {
    return SimpleTool.of(
            "spawn_agent",
            ToolEffect.DOES,
            SpawnInput.class,
            SpawnResult.class,
            """
            Create a child agent and give it work. One call is enough: [[turn|the child starts with its instructions
            after your turn, and its result starts a turn of yours]][[external|its instructions are its first
            message, and its result will be in check_inbox]].\
            """,
            (call, input) -> {
              var request =
                  new ChildAgents.SpawnRequest(
                      input.name(),
                      input.instructions(),
                      input.role(),
                      input.workspaceSubdir(),
                      input.budget());
              Agent child = children.spawn(call, request);
              return new SpawnResult(
                  "created",
                  child.id().value(),
                  child.name(),
                  child.isExternal() ? howExternalStarts(child) : null);
            })
        .listedFor(children::areHadOrAllowed);
  }

  private static String howExternalStarts(Agent child) {
    return child.name()
        + " is an external agent like you and does not start by itself: it works when a client"
        + " connects with its token, which a person creates. If the daemon has a defaultProvider,"
        + " children that you spawn start immediately.";
  }

  private Tool inspect() {
    return SimpleTool.of(
            "inspect_agent",
            ToolEffect.LOOKS,
            ChildNameInput.class,
            ActivitySnapshot.class,
            """
            Show what a child is doing: state, recent messages, turns and tool calls. Do not use it to wait for
            a reply.\
            """,
            (call, input) -> inspection.of(call.caller().agent(), input.name()))
        .listedFor(children::areHadOrAllowed);
  }

  private Tool list() {
    return SimpleTool.of(
        "list_children",
        ToolEffect.LOOKS,
        SimpleTool.NoInput.class,
        AgentInspection.ChildList.class,
        "List your children with their states.",
        (call, _) -> inspection.children(call.caller().agent()));
  }

  private Tool listTeam() {
    return SimpleTool.of(
        "list_team",
        ToolEffect.LOOKS,
        SimpleTool.NoInput.class,
        AgentInspection.TeamMemberList.class,
        """
        List the agents you can write to: parent, siblings, children with their states, and `operator` if allowed.\
        """,
        (call, _) -> inspection.team(call.caller().agent()));
  }

  private Tool terminate() {
    return leading(
            "terminate_agent",
            ToolEffect.ENDS,
            "terminated",
            """
            Terminate a child and all its descendants permanently. Agents that wait for them get a notice.\
            """,
            children::terminate)
        .listedFor(children::areHadOrAllowed);
  }

  private Tool poke() {
    return SimpleTool.of(
            "poke",
            ToolEffect.DOES,
            PokeInput.class,
            Confirmation.class,
            "Wake your parent, a child or a sibling without asking for a reply.",
            (call, input) -> {
              String word =
                  input.text() == null || input.text().isBlank()
                      ? call.caller().agent().name() + " wakes you"
                      : input.text();
              messages.wake(call, input.name(), word);
              return new Confirmation("poked", input.name());
            })
        .inOneTransaction();
  }

  private Tool gate() {
    return leading(
        "gate",
        ToolEffect.SETS,
        "gated",
        "Pause a child: its messages wait, and no turn starts until you call ungate or"
            + " permit_turn.",
        (call, name) -> children.gate(call, name, true));
  }

  private Tool ungate() {
    return leading(
        "ungate",
        ToolEffect.SETS,
        "ungated",
        "Resume a paused child; waiting messages start its next turn.",
        (call, name) -> children.gate(call, name, false));
  }

  private Tool permitTurn() {
    return leading(
        "permit_turn",
        ToolEffect.DOES,
        "permitted",
        "Let a paused child take one turn.",
        children::permitTurn);
  }

  /// A tool that acts on one child and confirms it.
  private static SimpleTool<ChildNameInput> leading(
      String name, ToolEffect effect, String status, String description, ChildAction lead) {
    return SimpleTool.of(
        name,
        effect,
        ChildNameInput.class,
        Confirmation.class,
        description,
        (call, input) -> {
          lead.to(call, input.name());
          return new Confirmation(status, input.name());
        });
  }

  private interface ChildAction {
    void to(ToolCall call, String child);
  }
}
