package dev.substrat.simulation;

import dev.substrat.store.Database;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// A situation that some histories must reach; otherwise the invariants would hold trivially.
record CoveredSituation(String name, String occasions) {
  static final List<CoveredSituation> ALL =
      List.of(
          event("a message is held", "kind = 'message_sent' and payload ->> 'held' is not null"),
          event("a held message is released", "kind = 'message_released'"),
          event("a question is answered", "kind = 'message_replied'"),
          event("a question expires", "kind = 'message_dead' and payload ->> 'status' = 'expired'"),
          event(
              "a message is dead after five attempts",
              "kind = 'message_dead' and payload ->> 'reason' = 'no coffee'"),
          event("a reminder or start is dead", "kind = 'event_dead'"),
          event(
              "a turn is cancelled", "kind = 'turn_ended' and payload ->> 'status' = 'cancelled'"),
          ended(
              "a turn is interrupted by the death of its daemon",
              "the daemon stopped during the turn"),
          ended("a turn reaches its time limit", "the turn took too long"),
          ended("a turn is interrupted by a graceful stop", "the daemon is stopping"),
          ended("an agent is terminated in its turn", "the agent was terminated"),
          event("a child is paused", "kind = 'agent_gated'"),
          event("a paused child gets a turn", "kind = 'turn_permitted'"),
          new CoveredSituation(
              "a broadcast is answered",
              "select count(*) as n from message where kind = 'reply' and broadcast_id is not null"),
          new CoveredSituation(
              "an external agent gets an answer",
              """
              select count(*) as n from message join agent on agent.id = recipient
              where kind = 'reply' and provider = 'external'
              """),
          new CoveredSituation(
              "an answer arrives too late",
              """
              select count(*) as n from message join message question on question.id = message.in_reply_to
              where message.kind = 'message' and question.status in ('expired', 'dead')
              """),
          new CoveredSituation(
              "a reminder comes", "select count(*) as n from run_event where kind = 'reminder'"),
          new CoveredSituation(
              "a plan comes", "select count(*) as n from run_event where kind = 'plan'"),
          new CoveredSituation(
              "a reply is found in the inbox",
              "select count(*) as n from run_message where content like '%\"kind\":\"reply\"%'"),
          new CoveredSituation(
              "a call is repeated after its attempt died",
              """
              select count(*) as n from (
                select 1 from run_message join run on run.id = run_id
                where type = 'tool_call_message' and tool_input like '%#%'
                group by agent_id, tool_name, tool_input having count(*) > 1)
              """),
          new CoveredSituation(
              "a call is recorded and its result is not",
              """
              select count(*) as n from (
                select 1 from run_line where tool_call_id is not null
                group by tool_call_id having count(*) = 1)
              """),
          event("a round skips a member", "kind = 'round_went_on'"),
          event("a post wakes no agent", "kind = 'wake_held'"),
          event("a held space message is released", "kind = 'wakes_released'"),
          new CoveredSituation(
              "a member posts in a round",
              "select count(*) as n from space_message where round_id is not null"),
          new CoveredSituation(
              "a child has children",
              """
              select count(*) as n from agent join agent parent on parent.id = agent.parent_id
              where parent.parent_id is not null
              """));

  private static CoveredSituation event(String name, String condition) {
    return new CoveredSituation(name, "select count(*) as n from event where " + condition);
  }

  private static CoveredSituation ended(String name, String reason) {
    return new CoveredSituation(
        name, "select count(*) as n from run where stop_reason = '" + reason + "'");
  }

  /// Situations that a history has reached.
  static Set<String> reached(Database database) {
    return database.read(tx ->
        ALL.stream()
            .filter(corner -> tx.number(corner.occasions()) > 0)
            .map(CoveredSituation::name)
            .collect(Collectors.toSet()));
  }
}
