package dev.substrat.bridge;

/// Client, daemon connection, credential and session that every exchange uses.
record BridgeContext(
    StdioClient client,
    DaemonConnectionPool daemon,
    BridgeCredential credential,
    BridgeSession session,
    IdempotencyKeys keys,
    BridgeTimeouts timeouts) {}
