package dev.substrat.space.tool;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.space.ActiveSpace;
import dev.substrat.space.MemberTable;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.SpaceTable;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The tool `list_spaces`, of the toolsets `spaces` and `channels`.
record ListSpacesTool(Database database) {
  private static final int PAGE = 100;

  /// Which part of the list.
  public record ListSpacesInput(
      @JsonPropertyDescription("Last id of the previous page.") @Nullable String after) {}

  /// Spaces, ordered by id. `hasMore` is true if there are others after the last one.
  record ListSpacesResult(List<SpaceListEntry> spaces, boolean hasMore) {}

  /// One space. `unread` counts the messages of others that the agent has not read, up to 1000.
  record SpaceListEntry(
      String id,
      String name,
      String kind,
      String topic,
      int memberCount,
      long unread,
      boolean isMember,
      boolean isActive) {}

  Tool tool() {
    return SimpleTool.of(
        "list_spaces",
        ToolEffect.LOOKS,
        ListSpacesInput.class,
        ListSpacesResult.class,
        """
        List public spaces and the spaces you are a member of, with unread counts.\
        """,
        this::list);
  }

  private ListSpacesResult list(ToolCall call, ListSpacesInput input) {
    return database.read(tx -> {
      SpaceMember self = SpaceMember.of(call.caller().agent());
      String after = input.after() == null ? "" : input.after();
      List<Spaces.SpaceWithMemberCount> seen = SpaceTable.seenBy(tx, self, after, PAGE + 1);
      Map<String, Long> unread = MemberTable.unread(tx, self);
      Set<String> own = SpaceTable.of(tx, self).stream().map(Space::id).collect(Collectors.toSet());
      String active = ActiveSpace.find(tx, call.caller()).orElse("");
      return new ListSpacesResult(
          seen.stream()
              .limit(PAGE)
              .map(one -> {
                Space space = one.space();
                return new SpaceListEntry(
                    space.id(),
                    space.name(),
                    space.kind().toString(),
                    space.topic(),
                    one.memberCount(),
                    unread.getOrDefault(space.id(), 0L),
                    own.contains(space.id()),
                    space.id().equals(active));
              })
              .toList(),
          seen.size() > PAGE);
    });
  }
}
