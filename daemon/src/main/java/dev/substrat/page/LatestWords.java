package dev.substrat.page;

import dev.substrat.console.Prose;
import dev.substrat.console.spaces.Latest;
import dev.substrat.console.spaces.SpaceLine;
import dev.substrat.id.Principal;
import dev.substrat.json.Json;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What was said last in each of some spaces, in one question to the database.
final class LatestWords {
  /// Found from the end, by the number of the message, however much was said.
  private static final String LATEST =
      """
      select said.space_id, said.author, said.text, said.created_at
      from space join space_message said on said.space_id = space.id and said.seq = (
        select one.seq from space_message one
        where one.space_id = space.id and one.kind = 'message'
        order by one.seq desc limit 1)
      where space.id in (select value from MEMBERS)
      """;

  private LatestWords() {}

  /// By the ids of the spaces, as far as something was said there.
  static Map<String, Latest> in(Tx tx, List<SpaceLine> spaces, Principal viewer) {
    var faces = new Faces(tx, viewer);
    var latest = new HashMap<String, Latest>();
    tx.list(
            LATEST.replace("MEMBERS", tx.dialect().members()),
            row -> Map.entry(row.text("space_id"), latest(row, faces)),
            Json.text(spaces.stream().map(SpaceLine::id).toList()))
        .forEach(pair -> latest.put(pair.getKey(), pair.getValue()));
    return latest;
  }

  private static Latest latest(Row row, Faces faces) {
    return new Latest(
        faces.of(row.text("author")).handle(),
        Asking.excerpt(Prose.bare(row.text("text"))),
        row.instant("created_at"));
  }
}
