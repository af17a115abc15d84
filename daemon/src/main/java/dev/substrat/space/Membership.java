package dev.substrat.space;

import java.time.Instant;

/// Somebody in a space, and how far they have read. `handle` is how others call them.
public record Membership(SpaceMember member, String handle, Instant joinedAt, long lastReadSeq) {}
