package dev.substrat.turn.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The record of one turn. `status` is `running`, `done`, `failed` or `cancelled`, and `open` for
/// calls of an external agent.
///
/// `subject` is what the turn was about, if it had a subject (see
/// [dev.substrat.messaging.inbox.TurnSubject]). `spaceId` is the space whose message started it;
/// `finishedWithoutPosting` is set if it ended with a final text that was not posted there.
///
/// `depth` and `cause` are those of its chain of messages. `retryOf` is the run that got some of
/// these events before and did not finish. A run that was cut short was ended from outside.
public record Run(
    String id,
    String agentId,
    String agent,
    long turn,
    String status,
    @Nullable String stopReason,
    @Nullable String response,
    Instant startedAt,
    @Nullable Instant endedAt,
    int depth,
    @Nullable String cause,
    int attempt,
    @Nullable String retryOf,
    boolean cutShort,
    @Nullable String subject,
    @Nullable String spaceId,
    boolean finishedWithoutPosting) {}
