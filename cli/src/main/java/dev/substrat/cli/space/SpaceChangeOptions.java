package dev.substrat.cli.space;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What is to be different about a space; what is not said stays.
final class SpaceChangeOptions {
  @Option(names = "--name", paramLabel = "N", description = "What people and agents call it.")
  private @Nullable String name;

  @Option(
      names = "--topic",
      paramLabel = "T",
      description = "What it is about, in a line; empty takes it away.")
  private @Nullable String topic;

  @Option(names = "--wake", paramLabel = "POLICY", description = SpaceOptions.WAKE)
  private @Nullable String wakePolicy;

  @Option(names = "--depth", paramLabel = "N", description = SpaceOptions.DEPTH)
  private @Nullable Integer maxChainDepth;

  ObjectNode body() {
    var body = JsonTree.object();
    if (name != null) {
      body.put("name", name);
    }
    if (topic != null) {
      body.put("topic", topic);
    }
    if (wakePolicy != null) {
      body.put("wakePolicy", wakePolicy);
    }
    if (maxChainDepth != null) {
      body.put("maxChainDepth", maxChainDepth);
    }
    if (body.isEmpty()) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "nothing is to be different",
          "say what: --name, --topic, --wake or --depth");
    }
    return body;
  }
}
