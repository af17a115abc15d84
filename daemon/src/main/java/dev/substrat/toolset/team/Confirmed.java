package dev.substrat.toolset.team;

/// It was done, and to whom.
record Confirmed(String status, String name) {}
