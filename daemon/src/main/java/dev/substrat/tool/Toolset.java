package dev.substrat.tool;

import java.util.List;
import java.util.stream.Stream;

/// Named group of tools that an agent has as a whole or not at all. `unlisted` tools can be called,
/// but are listed only if another toolset of the agent lists them.
public record Toolset(String name, List<Tool> tools, List<Tool> unlisted) {

  public Toolset(String name, List<Tool> tools) {
    this(name, tools, List.of());
  }

  List<Tool> all() {
    return Stream.concat(tools.stream(), unlisted.stream()).toList();
  }
}
