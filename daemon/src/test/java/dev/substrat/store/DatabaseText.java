package dev.substrat.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/// All contents of a database as one searchable text.
public final class DatabaseText {
  private DatabaseText() {}

  public static String in(TestDatabase place, Database database) {
    return place.dialect() == Dialect.SQLITE ? files(place) : tables(database);
  }

  /// Every row of every table, whole.
  private static String tables(Database database) {
    return database.read(tx ->
        tx
            .list(
                "select table_name as name from information_schema.tables where table_schema = current_schema()",
                row -> row.text("name"))
            .stream()
            .flatMap(table ->
                tx
                    .list(
                        "select cast(t as text) as row from " + table + " t",
                        row -> row.text("row"))
                    .stream())
            .collect(Collectors.joining("\n")));
  }

  /// Everything in the database's files, as the bytes are.
  private static String files(TestDatabase place) {
    var all = new StringBuilder();
    try (var files = Files.walk(place.directory())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.toString();
  }
}
