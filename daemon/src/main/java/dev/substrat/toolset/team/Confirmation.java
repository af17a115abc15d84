package dev.substrat.toolset.team;

/// Result of a tool without other output: status and agent.
record Confirmation(String status, String name) {}
