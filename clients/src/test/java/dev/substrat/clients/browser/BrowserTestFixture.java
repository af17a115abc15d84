package dev.substrat.clients.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Test fixture: a daemon and a browser per test.
final class BrowserTestFixture implements BeforeEachCallback, AfterEachCallback {
  private @Nullable Path data;
  private @Nullable Chromium chromium;
  private @Nullable RestartableDaemon pier;

  @Override
  public void beforeEach(ExtensionContext test) throws IOException {
    chromium = new Chromium();
    data = Files.createTempDirectory("substrat-lookout-");
    pier = new RestartableDaemon(data);
  }

  Chromium chromium() {
    return Objects.requireNonNull(chromium);
  }

  RestartableDaemon pier() {
    return Objects.requireNonNull(pier);
  }

  /// Without a browser nothing was started.
  @Override
  public void afterEach(ExtensionContext test) throws IOException {
    if (pier != null) {
      pier.close();
    }
    if (chromium != null) {
      chromium.close();
    }
    if (data != null) {
      remove(data);
    }
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> found = Files.walk(directory)) {
      List<Path> deepestFirst = found.sorted(Comparator.reverseOrder()).toList();
      for (Path one : deepestFirst) {
        Files.deleteIfExists(one);
      }
    }
  }
}
