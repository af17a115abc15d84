package dev.substrat.provider.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Texts that are kept in `src/test/resources/prompt` and compared byte for byte.
///
/// After a change that is meant, write them anew with `-Dsubstrat.golden=renew`, and read the
/// difference in version control before you keep it: it is what every agent will be told.
final class Golden {
  private static final Path FOLDER = Path.of("src/test/resources/prompt");

  private Golden() {}

  static void require(String name, String actual) {
    Path file = FOLDER.resolve(name + ".txt");
    try {
      if ("renew".equals(System.getProperty("substrat.golden"))) {
        Files.writeString(file, actual);
      }
      byte[] bytes = actual.getBytes(StandardCharsets.UTF_8);
      // The first tells which lines differ; the second also sees what is at the end of them.
      assertThat(new ByteArrayInputStream(bytes))
          .as("%s; if the change is meant: -Dsubstrat.golden=renew", file)
          .hasContent(Files.readString(file));
      assertThat(file).hasBinaryContent(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(String name) throws IOException {
    return Files.readString(FOLDER.resolve(name + ".txt"));
  }
}
