package dev.substrat.memory;

import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RequestActor;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.tool.ToolCall;
import org.jspecify.annotations.Nullable;

/// The author of a memory change: database key, display name and reason. The reason of an agent is
/// its run.
public record MemoryAuthor(String author, String name, String reason, @Nullable String run) {

  static MemoryAuthor of(ToolCall call) {
    Agent agent = call.caller().agent();
    String run = call.caller().run().value();
    return new MemoryAuthor(agent.id().value(), agent.handle(), "run " + run, run);
  }

  /// The person who acts as operator in this request.
  public static MemoryAuthor operator(@Nullable String reason) {
    String name = RequestActor.currentKey();
    return new MemoryAuthor(name, name, reason == null ? "" : reason, null);
  }

  public static MemoryAuthor zooClient() {
    return new MemoryAuthor(Principal.ZOO_NAME, Principal.ZOO_NAME, "", null);
  }

  /// An event of the log about what `agent` keeps. That is its own affair: events say how much it
  /// is and under which label, and never what.
  NewEvent event(String kind, Agent agent) {
    NewEvent event =
        NewEvent.of(kind).about(agent.id().value()).with("agent", agent.handle()).with("by", name);
    return run == null ? event : event.during(run);
  }
}
