package dev.substrat.messaging.message;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Loop guards: detect conversations that run in circles, by following the causes of a message.
///
/// Such a message is held, never dropped: it is stored and can be read, but wakes no agent until a
/// person releases it. Answers to open questions are never held, because an asker waits for them.
final class LoopGuards {
  /// Maximum length of a chain of messages without a person.
  static final int DEEPEST = 64;

  /// Maximum number of messages that two agents exchange only with each other.
  static final int MAX_LOOP_LENGTH = 24;

  /// Maximum number of equal texts in one chain.
  static final int SAME_TEXT = 3;

  /// Shorter chains are not checked, so most messages cost nothing here.
  private static final int MIN_LOOP_LENGTH = 4;

  private static final String CHAIN =
      """
      with recursive chain (id, sender, recipient, text, cause_id, step) as (
        select id, sender, recipient, text, cause_id, 1 from message where id = ?
        union all
        select m.id, m.sender, m.recipient, m.text, m.cause_id, chain.step + 1
        from message m join chain on m.id = chain.cause_id
        where chain.step < ?
      )
      select sender, recipient, text from chain order by step
      """;

  private LoopGuards() {}

  /// Why a message to `recipient` must be held, if it must.
  static Optional<String> check(Tx tx, MessageDraft draft) {
    MessageId cause = draft.cause();
    if (cause == null || draft.depth() < MIN_LOOP_LENGTH) {
      return draft.depth() >= DEEPEST ? Optional.of(tooDeep(draft)) : Optional.empty();
    }
    List<ChainLink> chain =
        tx.list(
            CHAIN,
            row -> new ChainLink(row.text("sender"), row.text("recipient"), row.text("text")),
            cause.value(),
            DEEPEST);
    return Optional.ofNullable(reason(draft, chain)).map(reason -> reason + path(tx, draft, chain));
  }

  private static @Nullable String reason(MessageDraft draft, List<ChainLink> chain) {
    if (draft.depth() >= DEEPEST) {
      return tooDeep(draft);
    }
    long same =
        chain.stream()
            .filter(link -> link.sender().equals(draft.sender()))
            .filter(link -> link.recipient().equals(draft.recipient()))
            .filter(link -> link.text().equals(draft.text()))
            .count();
    if (same >= SAME_TEXT) {
      return "loop guard: the same text was already sent " + same + " times";
    }
    return pingPong(draft, chain) >= MAX_LOOP_LENGTH
        ? "loop guard: two agents have written only to each other for %d messages"
            .formatted(pingPong(draft, chain))
        : null;
  }

  private static String tooDeep(MessageDraft draft) {
    return "chain depth: the chain is %d messages deep, the limit is %d"
        .formatted(draft.depth(), DEEPEST);
  }

  private static long pingPong(MessageDraft draft, List<ChainLink> chain) {
    var pair = Set.of(draft.sender(), draft.recipient());
    return chain.stream()
        .takeWhile(link -> new HashSet<>(List.of(link.sender(), link.recipient())).equals(pair))
        .count();
  }

  /// The newest eight senders and recipients: enough to recognise the loop.
  private static String path(Tx tx, MessageDraft draft, List<ChainLink> chain) {
    var names = new ArrayList<String>();
    names.add(name(tx, draft.recipient()));
    names.add(name(tx, draft.sender()));
    chain.stream().limit(8).forEach(link -> names.add(name(tx, link.sender())));
    return " (" + String.join(" → ", names.reversed()) + ")";
  }

  private static String name(Tx tx, String principal) {
    return AgentTree.find(tx, principal).map(Agent::name).orElse(principal);
  }

  private record ChainLink(String sender, String recipient, String text) {}
}
