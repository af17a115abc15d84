package dev.substrat.store;

import dev.substrat.testkit.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/// Template databases on the current schema: migrating each would take longer than most tests.
/// Created on first use.
final class TemplateDatabases {
  private TemplateDatabases() {}

  static byte[] file() {
    return Embedded.FILE;
  }

  static String url() {
    return Shared.URL;
  }

  private static final class Embedded {
    static final byte[] FILE = make();

    private static byte[] make() {
      try {
        Path file = Files.createTempDirectory("substrat-unused-").resolve("substrat.db");
        Database.embedded(file, InstantSource.system()).close();
        byte[] content = Files.readAllBytes(file);
        Files.delete(file);
        Files.delete(file.getParent());
        return content;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Shared {
    static final String URL = make();

    private static String make() {
      String url = TestPostgres.freshDatabase();
      Database.shared(url, InstantSource.system()).close();
      PostgresDatabasePool.prepare(url);
      return url;
    }
  }
}
