package dev.substrat.space;

import dev.substrat.platform.identity.RunId;
import java.time.Instant;

/// The final text of a turn that finished without posting in the space it was about. It is shown
/// after the message with the number `afterSeq`.
public record UnpostedText(
    RunId run, SpaceMember author, String agent, String text, long afterSeq, Instant at) {}
