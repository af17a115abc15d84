package dev.substrat.tool;

import dev.substrat.id.RunId;
import dev.substrat.team.Agent;

/// Whose turn a tool is called in. `owner` and `turn` fence every write: once the lease has passed
/// to another turn, writes that carry the old number change nothing.
public record Caller(Agent agent, RunId run, String owner, long turn, int depth) {}
