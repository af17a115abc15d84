package dev.substrat.server;

import java.util.List;

/// Invariants of the database, as queries for violations: each row is one violation, with `what` it
/// is about and the message to report.
///
/// The texts are those of `kills/team.yaml`.
final class DeliveryInvariants {
  private DeliveryInvariants() {}

  /// A promise and the rows that break it.
  record DeliveryInvariant(String brokenAs, String query) {}

  /// Invariants that always hold, also in the database of a dead daemon.
  static final List<DeliveryInvariant> ALWAYS =
      List.of(
          new DeliveryInvariant(
              "consumed by two successful turns",
              """
              select given.event_id as what, max(given.event_id) as message_id
              from run_event given join run on run.id = given.run_id
              where run.status = 'done'
              group by given.event_id having count(*) > 1
              """),
          new DeliveryInvariant(
              "answered twice",
              """
              select in_reply_to as what, in_reply_to as message_id
              from message where kind = 'reply'
              group by in_reply_to having count(*) > 1
              """),
          new DeliveryInvariant(
              "sent twice by a retried turn",
              """
              select min(text) as what, max(id) as message_id
              from message where idempotency_key is not null and text not like 'loop%'
              group by sender, recipient, text, coalesce(in_reply_to, '') having count(*) > 1
              """),
          new DeliveryInvariant(
              "created twice",
              """
              select name as what, cast(null as text) as message_id
              from agent where name like 'spawn %'
              group by name having count(*) > 1
              """),
          new DeliveryInvariant(
              "recorded twice, or a result without a call",
              """
              select tool_call_id as what, cast(null as text) as message_id
              from run_line where tool_call_id is not null
              group by run_id, tool_call_id
              having sum(case type when 'tool_call_message' then 1 else 0 end) <> 1 or count(*) > 2
              """),
          new DeliveryInvariant(
              "started before the end of the agent's last turn",
              """
              select later.id as what, cast(null as text) as message_id
              from run earlier join run later
                on later.agent_id = earlier.agent_id and later.turn_no > earlier.turn_no
              where earlier.turn_no > 0
                and (earlier.ended_at is null or later.started_at < earlier.ended_at)
              """),
          new DeliveryInvariant(
              "ended twice in the log",
              """
              select run_id as what, cast(null as text) as message_id
              from event_log where kind = 'turn_ended'
              group by run_id having count(*) > 1
              """),
          new DeliveryInvariant(
              "missing in the log",
              """
              select 'an event' as what, cast(null as text) as message_id
              from (select count(*) as events, max(seq) as last from event) log
              where log.events <> log.last
              """));

  /// Invariants that hold when all agents are idle.
  static final List<DeliveryInvariant> AT_REST =
      List.of(
          new DeliveryInvariant(
              "neither read nor dead",
              """
              select text as what, id as message_id
              from message
              where recipient <> 'operator' and held_reason is null
                and status not in ('read', 'replied', 'expired', 'dead')
              """),
          new DeliveryInvariant(
              "a question without an answer or a notice",
              """
              select question.text as what, question.id as message_id
              from message question left join agent asker on asker.id = question.sender
              where question.sync = 1 and question.held_reason is null
                and asker.terminated_at is null
                and not exists (
                  select 1 from message told
                  where told.in_reply_to = question.id and told.recipient = question.sender
                    and told.kind in ('reply', 'notice')
                )
                -- Who sent something that is held was told so, and does not wait.
                and not exists (
                  select 1 from event_log event
                  where event.kind = 'message_sent' and event.agent_id = question.recipient
                    and event.payload like '%"message_id":"' || question.id || '"%"held":%'
                )
              """),
          new DeliveryInvariant(
              "still running",
              "select id as what, cast(null as text) as message_id from run where status = 'running'"),
          new DeliveryInvariant(
              "started and never ended in the log",
              """
              select begun.run_id as what, cast(null as text) as message_id
              from event_log begun
              where begun.kind = 'turn_started' and not exists (
                select 1 from event_log over
                where over.kind = 'turn_ended' and over.run_id = begun.run_id
              )
              """),
          new DeliveryInvariant(
              "called without a result in a successful turn",
              """
              select call.tool_call_id as what, cast(null as text) as message_id
              from run_line call join run on run.id = call.run_id
              where run.status = 'done' and call.type = 'tool_call_message' and not exists (
                select 1 from run_line back
                where back.run_id = call.run_id and back.tool_call_id = call.tool_call_id
                  and back.type = 'tool_return_message'
              )
              """),
          follows("spawn %", "complete ", "a child lost, or never heard of again"),
          follows("remind %", "remembered ", "a reminder lost"),
          follows("schedule %", "planned ", "a plan lost"),
          new DeliveryInvariant(
              "still paused",
              "select name as what, cast(null as text) as message_id from agent where gated = 1"));

  private static DeliveryInvariant follows(String cause, String prefix, String brokenAs) {
    return new DeliveryInvariant(
        brokenAs,
        """
        select cause.text as what, cause.id as message_id
        from message cause
        where cause.sender = 'operator' and cause.text like '%s' and not exists (
          select 1 from message effect where effect.text = '%s' || cause.text
        )
        """
            .formatted(cause, prefix));
  }

  /// Work that must be done before all agents are idle. Olaf never reads his inbox; held messages
  /// wait for a person.
  static final List<DeliveryInvariant> REST =
      List.of(
          new DeliveryInvariant(
              "a question is open",
              """
              select coalesce(asker.name, 'operator') || ' waits for '
                || coalesce(answerer.name, 'operator') || ': ' || text as what, message_id
              from pending_reply join message on message.id = message_id
              left join agent asker on asker.id = pending_reply.asker
              left join agent answerer on answerer.id = pending_reply.answerer
              where pending_reply.kind = 'question'
              """),
          new DeliveryInvariant(
              "an inbox event waits",
              """
              select inbox_event.payload as what, inbox_event.id as message_id
              from inbox_event join agent on agent.id = inbox_event.agent_id
              where inbox_event.held = 0 and agent.name <> 'olaf'
              """),
          new DeliveryInvariant(
              "a reminder waits",
              "select text as what, cast(null as text) as message_id from reminder"),
          new DeliveryInvariant(
              "a plan waits",
              """
              select instruction as what, cast(null as text) as message_id
              from plan where next_at is not null
              """),
          new DeliveryInvariant(
              "a turn is running",
              "select id as what, cast(null as text) as message_id from run where status = 'running'"));
}
