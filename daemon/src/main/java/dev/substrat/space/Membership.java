package dev.substrat.space;

import java.time.Instant;

/// A member of a space and the last message that the member has read. `handle` is the member's
/// handle.
public record Membership(SpaceMember member, String handle, Instant joinedAt, long lastReadSeq) {}
