package dev.substrat.space;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A partial update of a space; missing fields stay. The kind never changes: private messages must
/// not become public, nor public ones private.
public record SpaceChange(
    @Nullable String name,
    @Nullable String topic,
    Space.@Nullable WakePolicy wakePolicy,
    @Nullable ChainDepthChange depth) {

  /// Maximum length of a chain of agents' messages that wakes agents; null for the daemon's
  /// setting.
  public record ChainDepthChange(@Nullable Integer most) {}

  public static SpaceChange ofTopic(String topic) {
    return new SpaceChange(null, topic, null, null);
  }

  Space of(Space before) {
    return new Space(
        before.id(),
        name == null ? before.name() : name,
        before.kind(),
        topic == null ? before.topic() : topic,
        wakePolicy == null ? before.wakePolicy() : wakePolicy,
        depth == null ? before.maxChainDepth() : depth.most(),
        before.lastSeq(),
        before.isBreakerOpen(),
        before.heldReason(),
        before.createdBy(),
        before.createdAt());
  }

  /// Changed fields, by their names in requests.
  static List<String> between(Space before, Space after) {
    var changed = new ArrayList<String>();
    if (!before.name().equals(after.name())) {
      changed.add("name");
    }
    if (!before.topic().equals(after.topic())) {
      changed.add("topic");
    }
    if (before.wakePolicy() != after.wakePolicy()) {
      changed.add("wakePolicy");
    }
    if (!Objects.equals(before.maxChainDepth(), after.maxChainDepth())) {
      changed.add("maxChainDepth");
    }
    return changed;
  }
}
