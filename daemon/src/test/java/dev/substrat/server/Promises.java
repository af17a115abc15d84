package dev.substrat.server;

import java.util.List;

/// What must be true of the database, as queries for what breaks it: each row is one broken
/// promise, with `what` it is about and the message whose story tells more.
///
/// The texts are those of `kills/team.yaml`.
final class Promises {
  private Promises() {}

  /// A promise and the rows that break it.
  record Promise(String brokenAs, String query) {}

  /// True at any moment, also of what a dead daemon has left.
  static final List<Promise> ALWAYS =
      List.of(
          new Promise(
              "consumed by two turns that ended well",
              """
              select given.event_id as what, max(given.message_id) as message_id
              from run_event given join run on run.id = given.run_id
              where run.status = 'done'
              group by given.event_id having count(*) > 1
              """),
          new Promise(
              "answered twice",
              """
              select in_reply_to as what, in_reply_to as message_id
              from message where kind = 'reply'
              group by in_reply_to having count(*) > 1
              """),
          new Promise(
              "sent twice by a retried turn",
              """
              select min(text) as what, max(id) as message_id
              from message where idempotency_key is not null and text not like 'loop%'
              group by sender, recipient, text, coalesce(in_reply_to, '') having count(*) > 1
              """),
          new Promise(
              "made twice",
              """
              select name as what, cast(null as text) as message_id
              from agent where name like 'spawn %'
              group by name having count(*) > 1
              """),
          new Promise(
              "recorded twice, or returned without a call",
              """
              select tool_call_id as what, cast(null as text) as message_id
              from run_message where tool_call_id is not null
              group by run_id, tool_call_id
              having sum(case type when 'tool_call_message' then 1 else 0 end) <> 1 or count(*) > 2
              """),
          new Promise(
              "begun before the agent's last turn was over",
              """
              select later.id as what, cast(null as text) as message_id
              from run earlier join run later
                on later.agent_id = earlier.agent_id and later.turn_no > earlier.turn_no
              where earlier.turn_no > 0
                and (earlier.ended_at is null or later.started_at < earlier.ended_at)
              """),
          new Promise(
              "ended twice in the log",
              """
              select run_id as what, cast(null as text) as message_id
              from event where kind = 'turn_ended'
              group by run_id having count(*) > 1
              """),
          new Promise(
              "missing in the log",
              """
              select 'an event' as what, cast(null as text) as message_id
              from (select count(*) as events, max(seq) as last from event) log
              where log.events <> log.last
              """));

  /// True once everyone has come to rest.
  static final List<Promise> AT_REST =
      List.of(
          new Promise(
              "neither read nor given up",
              """
              select text as what, id as message_id
              from message
              where recipient <> 'operator' and held_reason is null
                and status not in ('read', 'replied', 'expired', 'dead')
              """),
          new Promise(
              "a question whose asker was never told",
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
                  select 1 from event
                  where event.kind = 'message_sent' and event.agent_id = question.recipient
                    and event.payload like '%"message_id":"' || question.id || '"%"held":%'
                )
              """),
          new Promise(
              "still running",
              "select id as what, cast(null as text) as message_id from run where status = 'running'"),
          new Promise(
              "started and never ended in the log",
              """
              select begun.run_id as what, cast(null as text) as message_id
              from event begun
              where begun.kind = 'turn_started' and not exists (
                select 1 from event over
                where over.kind = 'turn_ended' and over.run_id = begun.run_id
              )
              """),
          new Promise(
              "called without a return in a turn that ended well",
              """
              select call.tool_call_id as what, cast(null as text) as message_id
              from run_message call join run on run.id = call.run_id
              where run.status = 'done' and call.type = 'tool_call_message' and not exists (
                select 1 from run_message back
                where back.run_id = call.run_id and back.tool_call_id = call.tool_call_id
                  and back.type = 'tool_return_message'
              )
              """),
          follows("spawn %", "complete ", "a child lost, or never heard of again"),
          follows("remind %", "remembered ", "a reminder lost"),
          follows("schedule %", "planned ", "a plan lost"),
          new Promise(
              "left gated",
              "select name as what, cast(null as text) as message_id from agent where gated = 1"));

  private static Promise follows(String cause, String prefix, String brokenAs) {
    return new Promise(
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

  /// What somebody still has to do before everyone is at rest. Olaf never looks; what is held waits
  /// for a person.
  static final List<Promise> REST =
      List.of(
          new Promise(
              "a question is open",
              """
              select coalesce(asker.name, 'operator') || ' waits for '
                || coalesce(answerer.name, 'operator') || ': ' || text as what, message_id
              from pending_reply join message on message.id = message_id
              left join agent asker on asker.id = pending_reply.asker
              left join agent answerer on answerer.id = pending_reply.answerer
              where pending_reply.kind = 'question'
              """),
          new Promise(
              "mail waits",
              """
              select inbox_event.payload as what, inbox_event.message_id as message_id
              from inbox_event join agent on agent.id = inbox_event.agent_id
              where inbox_event.held = 0 and agent.name <> 'olaf'
              """),
          new Promise(
              "a reminder waits",
              "select text as what, cast(null as text) as message_id from reminder"),
          new Promise(
              "a plan waits",
              """
              select instruction as what, cast(null as text) as message_id
              from plan where next_at is not null
              """),
          new Promise(
              "a turn is under way",
              "select id as what, cast(null as text) as message_id from run where status = 'running'"));
}
