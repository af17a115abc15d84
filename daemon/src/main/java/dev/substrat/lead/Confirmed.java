package dev.substrat.lead;

/// It was done, and to whom.
record Confirmed(String status, String name) {}
