package dev.substrat.console.agents;

import dev.substrat.console.PageFrame;
import dev.substrat.console.TextPreview;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Page of one agent: configuration, state, memory, tools, runs, messages. `ending` lists the
/// agents that a termination ends.
public record AgentPage(
    PageFrame frame,
    Instant now,
    AgentCard agent,
    @Nullable RelatedAgent parent,
    List<RelatedAgent> children,
    String instructions,
    boolean isPaused,
    boolean isExternal,
    AgentPageSections sections,
    AgentPageHistory history,
    ConnectionGuide injectionGuide,
    String terminationText)
    implements View {

  /// Parent or child of the agent.
  public record RelatedAgent(String name, String path) {}

  /// Skills, tools, memory, goals and tokens of the agent.
  public record AgentPageSections(
      List<SkillSummary> skills,
      List<ToolSummary> tools,
      List<TitledNote> memory,
      List<TitledNote> goals,
      List<TokenSummary> tokens) {}

  /// Runs, messages and events of the agent.
  public record AgentPageHistory(
      List<RunSummary> runs, List<MessageSummary> messages, List<ActivityEntry> activity) {}

  public record SkillSummary(String name, String text, String category, String hue, boolean isOn) {}

  public record ToolSummary(String name, String description, ToolOrigin origin) {}

  /// Source of a tool, in display order.
  public enum ToolOrigin {
    OWN("Custom tools"),
    REMOTE("Remote tools"),
    BUILT_IN("Built-in tools");

    private final String title;

    ToolOrigin(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  /// Tools from one source.
  public List<ToolSummary> toolsFrom(ToolOrigin origin) {
    return sections.tools().stream().filter(one -> one.origin() == origin).toList();
  }

  /// A memory block or a goal.
  public record TitledNote(String title, String text, String mark) {}

  public record TokenSummary(String id, String label, Instant mintedAt) {}

  /// One run. `took` is its duration, empty while it is running; `reason` why it failed, or empty;
  /// `said` its final text, or empty; `isUnposted` if it finished without posting in a space.
  public record RunSummary(
      String id,
      long turn,
      String status,
      String tone,
      Instant at,
      String duration,
      String reason,
      TextPreview finalText,
      boolean isUnposted) {}

  /// A message to or from the agent; `isOurs` if the operator wrote it, `isNews` if the operator
  /// has not read it. `trouble` is why it is dead or held, or empty.
  public record MessageSummary(
      String id,
      String from,
      String to,
      TextPreview text,
      Instant at,
      String status,
      String problem,
      boolean isOurs,
      boolean isNews) {}

  /// Event types that refresh the page.
  public String eventTypes() {
    return "agent_updated agent_terminated agent_gated agent_ungated turn_started turn_ended message_sent"
        + " message_replied message_dead message_released message_retried tool_called pending_call memory_updated"
        + " goals_changed budget_low budget_exhausted budget_set token_minted token_revoked";
  }

  public String path() {
    return agent.path();
  }

  public boolean isAlive() {
    return !agent.condition().label().equals("terminated");
  }

  @Override
  public String template() {
    return "agents/show";
  }
}
