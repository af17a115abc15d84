package dev.substrat.simulation;

import java.util.List;

/// An invariant: `offences` finds violations.
///
/// Texts with a `#` are unique to the event they were written for (see [PlaybookGenerator]), so a
/// second one shows that something was done twice.
record Invariant(String name, String offences) {
  /// Events of runs with the depth and the subject (`about`) that their messages give them.
  private static final String RUN_INPUT =
      """
      (select run_event.*, coalesce(payload ->> 'depth', message.depth) as depth,
        case when payload ->> 'subject' = 1 then event_id else payload ->> 'subject' end as about
      from run_event left join message on message.id = event_id) run_input\
      """;

  Invariant {
    offences = offences.replace("from run_input", "from " + RUN_INPUT);
  }

  static final List<Invariant> ALWAYS =
      List.of(
          new Invariant(
              "at most one turn per agent",
              """
              select agent_id || ' has several' as offence from run where status = 'running'
              group by agent_id having count(*) > 1
              """),
          new Invariant(
              "no row waits for a terminated agent",
              """
              select 'inbox of ' || handle as offence
              from agent join inbox_event on agent_id = agent.id where terminated_at is not null
              union all select 'question to or of ' || handle
              from agent join pending_reply on agent.id in (asker, answerer)
              where terminated_at is not null
              union all select 'reminder of ' || handle
              from agent join reminder on agent_id = agent.id where terminated_at is not null
              union all select 'plan of ' || handle
              from agent join plan on agent_id = agent.id
              where terminated_at is not null and next_at is not null
              union all select 'run of ' || handle || ' is ' || run.status
              from agent join run on agent_id = agent.id
              where terminated_at is not null and status in ('running', 'open')
              union all select 'lease of ' || handle from agent
              where terminated_at is not null and lease_owner is not null
              """),
          new Invariant(
              "a permit is used once", "select handle as offence from agent where permits < 0"),
          // An event that was held, or returned by a failed turn, became ready later than its id
          // says.
          new Invariant(
              "no ready event waits while later ones of other subjects are served",
              """
              select waits.kind || ' for ' || handle || ' waits in turn ' || run.turn_no as offence
              from inbox_event waits join agent on agent.id = waits.agent_id
              join run on run.agent_id = agent.id and run.id > waits.id and run.turn_no > 0
              where waits.turn_no is null and waits.held = 0 and waits.soft = 0
                and waits.not_before = 0 and waits.copied = 0 and waits.kind <> 'space_message'
                and run.retry_of is null
                and not exists (
                  select 1 from run_event
                  where run_event.run_id = run.id and step = 0 and event_id <= waits.id)
                and not exists (select 1 from run_event where event_id = waits.id)
                and not exists (
                  select 1 from event
                  where event.kind in ('message_released', 'message_retried')
                    and payload ->> 'message_id' = waits.id)
              """));

  static final List<Invariant> AT_REST =
      List.of(
          new Invariant(
              "no question stays open",
              "select message_id || ' to ' || answerer as offence from pending_reply"),
          new Invariant(
              "inbox events wait only for agents that cannot be woken",
              """
              select kind || ' for ' || handle || ': ' || payload as offence
              from inbox_event join agent on agent.id = agent_id
              where held = 0 and provider <> 'external' and (gated = 0 or permits > 0)
              """),
          // The agent's next turn closes the runs of a daemon that never restarted.
          new Invariant(
              "no turn is left running",
              """
              select handle || ', turn ' || run.turn_no as offence
              from run join agent on agent.id = agent_id where status = 'running'
              """),
          new Invariant(
              "every reminder fires",
              "select id || ' has not' as offence from reminder where due_at < 9223372036854775807"),
          new Invariant(
              "every plan fires once",
              """
              select id || ' came ' || runs || ' times, ' || status as offence from plan
              where runs > 1 or next_at is not null or (runs = 0 and status = 'done')
              """),
          new Invariant(
              "no message is lost",
              """
              select message.id || ' is ' || status || ': ' || text as offence
              from message join agent on agent.id = recipient
              where (status in ('stored', 'claimed', 'injected')
                  and not exists (select 1 from inbox_event where inbox_event.id = message.id))
                or (status = 'read' and injected_at is null)
              """),
          new Invariant(
              "every question gets one answer or one notice",
              """
              with asked as (
                select id, text, sender,
                  (select count(*) from message answer
                   where answer.in_reply_to = message.id
                     and answer.kind in ('reply', 'notice')) as answers
                from message where sync = 1
              ), held as (
                select payload ->> 'message_id' as id from event
                where kind = 'message_sent' and payload ->> 'held' is not null
                except select payload ->> 'message_id' from event where kind = 'message_released'
              )
              select asked.id || ' has ' || answers || ' answers: ' || text as offence
              from asked left join agent on agent.id = sender
              where answers > 1
                or (answers = 0 and terminated_at is null and asked.id not in (select id from held))
                or (answers > 0 and asked.id in (select id from held))
              """),
          new Invariant(
              "an answer ends its question",
              """
              select question.id || ' is ' || question.status as offence
              from message answer join message question on question.id = answer.in_reply_to
              where (answer.kind = 'reply' and question.status <> 'replied')
                or (answer.kind = 'notice' and question.status not in ('dead', 'expired'))
              """),
          new Invariant(
              "no event is consumed by two completed turns",
              """
              select event_id || ' was given ' || count(*) || ' times' as offence
              from run_event join run on run.id = run_id
              where status = 'done' group by event_id having count(*) > 1
              """),
          new Invariant(
              "each call has one result",
              """
              select handle || ', turn ' || run.turn_no || ', ' || tool_name as offence
              from run_line join run on run.id = run_id join agent on agent.id = agent_id
              where status = 'done' and tool_call_id is not null
              group by run_id, tool_call_id
              having sum(type = 'tool_call_message') <> 1 or sum(type = 'tool_return_message') <> 1
              """),
          new Invariant(
              "events have no gaps",
              "select count(*) || ' of ' || max(seq) as offence from event having count(*) <> max(seq)"),
          new Invariant(
              "each message is in the log once",
              """
              select message.id || ': ' || count(event.seq) as offence from message
              left join event on event.kind = 'message_sent' and payload ->> 'message_id' = message.id
              group by message.id having count(event.seq) <> 1
              """),
          new Invariant(
              "each end of a message is in the log once",
              """
              select message.id || ' is ' || status as offence from message
              where status in ('replied', 'dead', 'expired') and 1 <> (
                select count(*) from event
                where kind = case status when 'replied' then 'message_replied' else 'message_dead' end
                  and payload ->> 'message_id' = message.id)
              """),
          new Invariant(
              "each turn begins and ends in the log once",
              """
              select handle || ', turn ' || run.turn_no || ' is ' || status as offence
              from run join agent on agent.id = run.agent_id
              left join event_log event on event.run_id = run.id
              where run.turn_no > 0
              group by run.id
              having sum(kind = 'turn_started') <> 1
                or sum(kind = 'turn_ended') <> (status <> 'running')
              """),
          new Invariant(
              "a turn writes nothing after its end",
              """
              select late.kind || ' of ' || handle || ' at ' || late.seq as offence
              from event_log late join agent on agent.id = late.agent_id
              join event_log over on over.agent_id = late.agent_id and over.seq < late.seq
                and (over.kind = 'turn_ended' and over.run_id = late.run_id
                  or over.kind = 'turn_started' and over.run_id <> late.run_id
                    and over.seq > (select min(seq) from event_log where run_id = late.run_id))
              where late.run_id is not null and late.kind <> 'turn_ended'
              """),
          new Invariant(
              "nothing is sent twice",
              """
              select sender || ' → ' || recipient || ': ' || text as offence from message
              where text like '%#%' and kind in ('message', 'broadcast')
              group by sender, recipient, text having count(*) > 1
              """),
          new Invariant(
              "a repeated call gets the same answer",
              """
              select tool_name || ' ' || tool_input as offence from (
                select agent_id, call.tool_name, call.tool_input,
                  coalesce(back.content ->> 'message_id', back.content ->> 'agent_id',
                  back.content ->> 'reminder_id', back.content ->> 'plans',
                  back.content ->> 'messageId') as answer
                from run_line call
                join run_line back on back.tool_call_id = call.tool_call_id
                  and back.type = 'tool_return_message'
                join run on run.id = call.run_id
                where call.type = 'tool_call_message' and call.tool_input like '%#%'
              )
              where answer is not null
              group by agent_id, tool_name, tool_input having count(distinct answer) > 1
              """),
          new Invariant(
              "a spawned child exists once",
              """
              select parent_id || ': ' || count(*) as offence from agent
              where config ->> 'systemPrompt' like '%#%'
              group by parent_id, config ->> 'systemPrompt' having count(*) > 1
              """),
          new Invariant(
              "everything that a tool reports as created exists",
              """
              select tool_name || ' ' || content as offence from run_line
              where type = 'tool_return_message' and (
                (tool_name in ('send_message', 'broadcast') and content ->> 'message_id' is not null
                  and content ->> 'message_id' not in (select id from message))
                or (tool_name = 'spawn_agent' and content ->> 'agent_id' is not null
                  and content ->> 'agent_id' not in (select id from agent)))
              """),
          new Invariant(
              "a turn is as deep as its subject or its newest event, its messages one deeper",
              """
              select handle || ', turn ' || run.turn_no as offence
              from run join agent on agent.id = agent_id
              where run.turn_no > 0 and run.depth <> case when run.subject is null then (
                select run_input.depth from run_input
                where run_id = run.id order by position desc limit 1
              ) else (
                select max(run_input.depth) from run_input
                where run_id = run.id and step = 0 and about = run.subject
              ) end
              union all
              select message.id || ' has depth ' || message.depth
              from run_line join run on run.id = run_line.run_id
              join message on message.id = content ->> 'message_id'
              where type = 'tool_return_message' and tool_name = 'send_message'
                and run.turn_no > 0 and run.status = 'done' and message.id > run.id
                and message.depth - 1 not in (
                  select run_input.depth from run_input where run_id = run.id
                  union select depth from message answered where answered.id = message.in_reply_to
                )
              """),
          new Invariant(
              "a turn with a subject gets the events of that subject only",
              """
              select handle || ', turn ' || run.turn_no || ': ' || payload as offence
              from run_input join run on run.id = run_id join agent on agent.id = agent_id
              where run.turn_no > 0 and step = 0 and run.retry_of is null
                and coalesce(about, '') <> coalesce(run.subject, '')
              """),
          new Invariant(
              "an answer was written in a turn about its question, or names it",
              """
              select reply.id || ' of ' || handle || ': ' || text as offence
              from message reply join run on run.id = reply.run_id
              join agent on agent.id = run.agent_id
              where reply.kind = 'reply' and reply.broadcast_id is null and run.turn_no > 0
                and coalesce(run.subject, '') <> reply.in_reply_to
                and not exists (
                  select 1 from run_line
                  where run_line.run_id = run.id and (
                    type = 'tool_call_message'
                      and tool_input like '%"in_reply_to":"' || reply.in_reply_to || '"%'
                    or type = 'tool_return_message' and tool_name = 'check_inbox'
                      and content like '%' || reply.in_reply_to || '%'))
              """),
          new Invariant(
              "an asker gets the first message of a turn about its question as the answer",
              """
              select first.id || ' was first: ' || first.text as offence
              from run join message question on question.id = run.subject
              join message reply on reply.in_reply_to = question.id and reply.kind = 'reply'
              join message first on first.run_id = run.id and first.id < reply.id
                and first.sender = question.recipient and first.recipient = question.sender
                and first.in_reply_to is null
              where exists (
                select 1 from run_line
                where run_line.run_id = run.id and tool_name = 'send_message'
                  and type = 'tool_return_message' and content like '%' || first.id || '%')
              """),
          new Invariant(
              "a held message names its path",
              """
              select payload as offence from event
              where kind = 'message_sent' and payload ->> 'held' is not null
                and payload ->> 'held' not like '%→%'
              """),
          new Invariant(
              "a reply has the documented format",
              """
              select one.value as offence
              from run_line join json_each(content, '$.messages') one
              where run_line.type = 'tool_return_message' and tool_name = 'check_inbox'
                and one.value ->> 'kind' = 'reply'
                and one.value ->> 'text'
                  not like 'Reply from ' || (one.value ->> 'from') || ' (to message ____________________________________):' || char(10) || '_%'
              """),
          new Invariant(
              "no tool and no provider throws an unexpected exception",
              """
              select content as offence from run_message where content like '%"code":"INTERNAL"%'
              union all
              select stop_reason from run
              where stop_reason like 'the provider broke%' and stop_reason not like '%as it was told to'
              """));
}
