package dev.substrat.bridge;

/// Client, daemon connection, credential and session that every exchange uses.
record BridgeEnds(
    StdioClient client,
    DaemonSocket door,
    BridgeCredential credential,
    BridgeSession session,
    IdempotencyKeys keys,
    BridgeTimeouts patience) {}
