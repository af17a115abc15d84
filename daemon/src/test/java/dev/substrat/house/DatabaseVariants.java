package dev.substrat.house;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Checks which test classes run on every database: those of packages that contain SQL, themselves
/// or below them. The others run on one database. Each violation is one line.
final class DatabaseVariants {
  private static final Pattern SQL =
      Pattern.compile("(?m)(^\\s*|\")(select|insert into|update|delete from|with) ");
  private static final Pattern EVERY = Pattern.compile("(?m)^@OnEveryDatabase\\b");
  private static final Pattern ONE = Pattern.compile("(?m)^@OnOneDatabase\\b");

  private DatabaseVariants() {}

  static List<String> violations(Path main, Path tests) {
    Set<Path> withSql =
        SourceRules.javaFiles(main).stream()
            .filter(file -> SQL.matcher(SourceRules.read(file)).find())
            .map(file -> main.relativize(file.getParent()))
            .collect(Collectors.toSet());
    return SourceRules.javaFiles(tests).stream()
        .flatMap(file -> {
          Path place = tests.relativize(file.getParent());
          boolean hasSql = withSql.stream().anyMatch(one -> one.startsWith(place));
          Pattern wrong = hasSql ? ONE : EVERY;
          return wrong.matcher(SourceRules.read(file)).find()
              ? Stream.of(
                  "%s: use @%s, because its package contains %s"
                      .formatted(
                          file.getFileName(),
                          hasSql ? "OnEveryDatabase" : "OnOneDatabase",
                          hasSql ? "SQL" : "no SQL"))
              : Stream.of();
        })
        .toList();
  }
}
