package dev.substrat.bridge;

/// The two ends that every exchange connects, and what it has to show.
record Ends(
    Client client,
    Door door,
    Credential credential,
    Session session,
    Keys keys,
    Patience patience) {}
