package dev.substrat.cli.space;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Options of `space create`.
final class SpaceOptions {
  static final String WAKE =
      "Agents that a message wakes: all, sequential, mention, none or dm-chain.";
  static final String DEPTH =
      "Chain depth from which messages no longer wake agents. A message of a person has depth 0;"
          + " each answer of an agent adds 1.";

  @Parameters(paramLabel = "NAME", description = "Name of the space.")
  private String name = "";

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "Id of the space (default: derived from NAME, so that Night Shift becomes night-shift).")
  private @Nullable String id;

  @Option(
      names = "--kind",
      paramLabel = "K",
      defaultValue = "public",
      description = "Kind of the space: public, private or dm (default: public).")
  private String kind = "public";

  @Option(names = "--topic", paramLabel = "T", description = "Topic, one line (default: none).")
  private @Nullable String topic;

  @Option(names = "--wake", paramLabel = "POLICY", description = WAKE)
  private @Nullable String wakePolicy;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = DEPTH + " Default: spaces.maxChainDepth of the daemon, 3 unless configured.")
  private @Nullable Integer maxChainDepth;

  @Option(
      names = "--members",
      paramLabel = "A,B",
      split = ",",
      description = "Members: handles of agents, names of people, \"operator\" (default: none).")
  private List<String> members = List.of();

  ObjectNode body() {
    var body = JsonTree.object();
    JsonTree.putIfGiven(body, "id", id);
    body.put("name", name).put("kind", kind);
    JsonTree.putIfGiven(body, "topic", topic);
    JsonTree.putIfGiven(body, "wakePolicy", wakePolicy);
    JsonTree.putIfGiven(body, "maxChainDepth", maxChainDepth);
    members.stream()
        .map(String::strip)
        .filter(member -> !member.isEmpty())
        .forEach(body.putArray("members")::add);
    return body;
  }

  /// Options of `space set`. Properties without an option are not changed.
  static final class SpaceChangeOptions {
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
}
