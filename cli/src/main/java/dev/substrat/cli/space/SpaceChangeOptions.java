package dev.substrat.cli.space;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options of `space set`. Properties without an option are not changed.
final class SpaceChangeOptions {
  @Option(names = "--name", paramLabel = "N", description = "Name of the space.")
  private @Nullable String name;

  @Option(
      names = "--topic",
      paramLabel = "T",
      description = "Topic, one line; an empty text removes it.")
  private @Nullable String topic;

  @Option(names = "--wake", paramLabel = "POLICY", description = SpaceOptions.WAKE)
  private @Nullable String wakePolicy;

  @Option(names = "--depth", paramLabel = "N", description = SpaceOptions.DEPTH)
  private @Nullable Integer maxChainDepth;

  ObjectNode body() {
    var body = JsonTree.object();
    JsonTree.putIfGiven(body, "name", name);
    JsonTree.putIfGiven(body, "topic", topic);
    JsonTree.putIfGiven(body, "wakePolicy", wakePolicy);
    JsonTree.putIfGiven(body, "maxChainDepth", maxChainDepth);
    if (body.isEmpty()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "nothing to change", "use --name, --topic, --wake or --depth");
    }
    return body;
  }
}
