package dev.substrat.provider.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Texts in `src/test/resources/prompt`, compared byte for byte.
///
/// After an intended change, renew them with `-Dsubstrat.golden=renew` and read the diff: it is the
/// prompt of every agent.
final class GoldenFiles {
  private static final Path FOLDER = Path.of("src/test/resources/prompt");

  private GoldenFiles() {}

  static void require(String name, String actual) {
    Path file = FOLDER.resolve(name + ".txt");
    try {
      if ("renew".equals(System.getProperty("substrat.golden"))) {
        Files.writeString(file, actual);
      }
      byte[] bytes = actual.getBytes(StandardCharsets.UTF_8);
      // The first assertion shows which lines differ; the second one also compares line ends.
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
