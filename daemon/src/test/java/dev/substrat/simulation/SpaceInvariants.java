package dev.substrat.simulation;

import java.util.List;

/// Invariants of spaces.
final class SpaceInvariants {
  static final List<Invariant> ALWAYS =
      List.of(
          new Invariant(
              "numbers in a space have no gaps",
              """
              select id || ' has ' || last_seq as offence from space
              where last_seq <> (select count(*) from space_message where space_id = space.id)
                or last_seq <> coalesce(
                  (select max(seq) from space_message where space_id = space.id), 0)
              """),
          new Invariant(
              "a space has one round at a time",
              """
              select space_id as offence from space_round where state = 'running'
              group by space_id having count(*) > 1
              """),
          new Invariant(
              "a held space message has its reason",
              """
              select space.id || ' says none' as offence from space
              where held_reason is null and (
                exists (select 1 from inbox_event where space_id = space.id and held = 1)
                or exists (select 1 from space_round where space_id = space.id and state = 'held'))
              """));

  static final List<Invariant> AT_REST =
      List.of(
          new Invariant(
              "no round is stuck",
              "select space_id || ' waits for ' || waiting as offence from space_round"
                  + " where state <> 'held'"),
          new Invariant(
              "nothing is posted twice",
              """
              select author || ': ' || text as offence from space_message where text like '%#%'
              group by author, text having count(*) > 1
              """),
          new Invariant(
              "each post is in the log once",
              """
              select space_message.id || ': ' || count(event.seq) as offence from space_message
              left join event on event.kind = 'message_created'
                and payload ->> 'message_id' = space_message.id
              group by space_message.id having count(event.seq) <> 1
              """),
          new Invariant(
              "everything that a tool reports as posted exists",
              """
              select content as offence from run_line
              where type = 'tool_return_message' and content ->> 'messageId' is not null
                and content ->> 'messageId' not in (select id from space_message)
              """));

  private SpaceInvariants() {}
}
