package dev.substrat.cli.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class RenewalTest {
  @TempDir Path folder;

  @Test
  void every_class_of_the_library_is_renewed_and_still_verifies() throws Exception {
    Path library =
        Path.of(CommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path jar = Files.copy(library, folder.resolve("library.jar"));

    Renewal.renew(jar);

    var urls = new URL[] {jar.toUri().toURL()};
    try (var zip = new ZipFile(jar.toFile());
        var loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      for (var entry : Collections.list(zip.entries())) {
        String name = entry.getName();
        if (name.startsWith("picocli/") && name.endsWith(".class")) {
          var parsed = ClassFile.of().parse(zip.getInputStream(entry).readAllBytes());
          assertThat(parsed.majorVersion()).isEqualTo(ClassFile.latestMajorVersion());
          // Initialising links, and linking verifies.
          String type = name.replace('/', '.').replace(".class", "");
          assertThat(Class.forName(type, true, loader).getClassLoader()).isSameAs(loader);
        }
      }
    }
  }
}
