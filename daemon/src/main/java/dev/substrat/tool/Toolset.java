package dev.substrat.tool;

import java.util.List;

/// A named bundle of tools that an agent has as a whole or not at all.
public record Toolset(String name, List<Tool> tools) {}
