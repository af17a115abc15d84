package dev.substrat.space;

import dev.substrat.space.SpaceMessages.PostRequest;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.transcript.Transcript;

/// Posts the final text of a turn in the space the turn is about, or records that the turn finished
/// without posting.
///
/// A text is posted in a DM with a person, and everywhere if the agent's configuration says
/// `spaces.finalText: post`. It is neither posted nor recorded if it is empty, or if the turn has
/// posted, reacted or called `do_nothing`. All of it happens in the transaction that ends the turn,
/// so a turn that is retried posts once.
record FinalTextPosting(EventLog events, SpaceMessages messages) {
  private static final String DO_NOTHING = "do_nothing";

  void settle(Tx tx, ToolCaller caller, String text) {
    if (!text.isBlank()) {
      TurnSpaceTable.findUnanswered(tx, caller.run())
          .filter(_ -> !Transcript.hasCalled(tx, caller.run(), DO_NOTHING))
          .filter(id -> MemberTable.isMember(tx, id, SpaceMember.of(caller.agent())))
          .flatMap(id -> SpaceTable.find(tx, id))
          .ifPresent(space -> postOrKeep(tx, caller, space, text));
    }
  }

  private void postOrKeep(Tx tx, ToolCaller caller, Space space, String text) {
    if (TurnSpace.of(tx, space).takesFinalTextOf(caller.agent())) {
      messages.post(tx, caller, new PostRequest(space.id(), text));
    } else {
      TurnSpaceTable.unposted(tx, caller, space.lastSeq());
      events.append(
          tx,
          Spaces.event("finished_without_posting", space, SpaceMember.of(caller.agent()))
              .during(caller.run().value())
              .with("agent", caller.agent().handle())
              .with("text", text)
              .with("afterSeq", space.lastSeq()));
    }
  }
}
