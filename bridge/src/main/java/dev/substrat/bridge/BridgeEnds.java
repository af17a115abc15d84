package dev.substrat.bridge;

/// The two ends that every exchange connects, and what it has to show.
record BridgeEnds(
    StdioClient client,
    DaemonSocket door,
    BridgeCredential credential,
    BridgeSession session,
    IdempotencyKeys keys,
    BridgeTimeouts patience) {}
