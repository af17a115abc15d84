package dev.substrat.toolset.custom;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.space.ActiveSpace;
import dev.substrat.space.SpaceAccess;
import dev.substrat.store.Database;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.tool.ToolCaller;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Store of files created by tools, such as images. A file belongs to the agent that called the
/// tool, and is visible in the space that the agent was in.
public final class Attachments {
  private final Database database;
  private final InstantSource clock;

  Attachments(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// An attachment. `space` is the space that shows it, if there is one.
  public static final class Attachment {
    private final @Nullable String space;
    private final String mediaType;
    private final byte[] content;

    private Attachment(@Nullable String space, String mediaType, byte[] content) {
      this.space = space;
      this.mediaType = mediaType;
      this.content = content;
    }

    private static Attachment of(ResultRow row) {
      return new Attachment(
          row.textOrNull("space_id"),
          row.text("media_type"),
          Objects.requireNonNull(row.bytesOrNull("content")));
    }

    public @Nullable String space() {
      return space;
    }

    public String mediaType() {
      return mediaType;
    }

    public byte[] content() {
      return Arrays.copyOf(content, content.length);
    }
  }

  String store(ToolCaller caller, String mediaType, byte[] content) {
    String id = MessageId.random().value();
    return database.<String>transact(tx -> {
      tx.update(
          """
          insert into attachment (id, agent_id, space_id, media_type, content, created_at)
          values (?, ?, ?, ?, ?, ?)
          """,
          id,
          caller.agent().id().value(),
          ActiveSpace.find(tx, caller).orElse(null),
          mediaType,
          content,
          clock.instant());
      return id;
    });
  }

  /// Whether there is one of that id that people see in `space`.
  public static boolean isSeen(Tx tx, String id, String space) {
    return tx.find(
            "select id from attachment where id = ? and space_id = ?",
            row -> row.text("id"),
            id,
            space)
        .isPresent();
  }

  /// Empty if there is none, or if `who` may not see it: it is shown to operators and to the
  /// members of its space.
  public Optional<Attachment> find(Principal who, String id) {
    return database.read(tx ->
        tx.find(
                "select space_id, media_type, content from attachment where id = ?",
                Attachment::of,
                id)
            .filter(found -> SpaceAccess.isOperatorOrMember(tx, found.space(), who)));
  }
}
