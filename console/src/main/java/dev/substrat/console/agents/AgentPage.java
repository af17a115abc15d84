package dev.substrat.console.agents;

import dev.substrat.console.PageFrame;
import dev.substrat.console.TextPreview;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One agent: who it is, how it is, what it has, what it did, and a place to talk to it. `ending`
/// says who ends if it is terminated.
public record AgentPage(
    PageFrame frame,
    Instant now,
    AgentCard agent,
    @Nullable Relative parent,
    List<Relative> children,
    String instructions,
    boolean isPaused,
    boolean isExternal,
    Sections has,
    History did,
    InjectionGuide taking,
    String ending)
    implements View {

  /// Another agent near it.
  public record Relative(String name, String path) {}

  /// What it has.
  public record Sections(
      List<SkillLine> skills,
      List<ToolLine> tools,
      List<Note> memory,
      List<Note> goals,
      List<TokenLine> tokens) {}

  /// What it did, and what was said to it.
  public record History(
      List<RunLine> runs, List<MessageLine> letters, List<ActivityEntry> happenings) {}

  public record SkillLine(String name, String text, String category, String hue, boolean isOn) {}

  public record ToolLine(String name, String description, Origin origin) {}

  /// Whose a tool is, in the order in which they matter to whoever looks.
  public enum Origin {
    OWN("Custom tools"),
    REMOTE("Remote tools"),
    BUILT_IN("Built-in tools");

    private final String title;

    Origin(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  /// Its tools from one place.
  public List<ToolLine> toolsFrom(Origin origin) {
    return has.tools().stream().filter(one -> one.origin() == origin).toList();
  }

  /// Something it keeps: a block of its memory, a goal.
  public record Note(String title, String text, String mark) {}

  public record TokenLine(String id, String label, Instant mintedAt) {}

  /// One turn. `took` is how long, or empty while it lasts; `reason` why it failed, or empty;
  /// `said` its final text, or empty; `isUnposted` if it finished without posting in a space.
  public record RunLine(
      String id,
      long turn,
      String status,
      String tone,
      Instant at,
      String took,
      String reason,
      TextPreview said,
      boolean isUnposted) {}

  /// One message between it and somebody; `isOurs` if the operator wrote it, `isNews` if they have
  /// not read it. `trouble` is why it did not arrive, or is held back, or empty.
  public record MessageLine(
      String id,
      String from,
      String to,
      TextPreview text,
      Instant at,
      String status,
      String trouble,
      boolean isOurs,
      boolean isNews) {}

  /// What may change what is shown.
  public String concerns() {
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
