package dev.substrat.toolset.team;

/// It was done, and to whom.
record Confirmation(String status, String name) {}
