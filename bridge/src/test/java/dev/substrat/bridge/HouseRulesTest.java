package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/// Dependency rules of the bridge, which keep it fast to start.
final class HouseRulesTest {
  private static final List<String> ALLOWED =
      List.of("java/", "dev/substrat/bridge/", "org/jspecify/");
  private static final List<String> SLOW =
      List.of("java/util/regex/", "java/net/http/", "java/util/logging/", "java/util/UUID");

  @Test
  void the_bridge_depends_only_on_the_jdk() throws Exception {
    assertThat(used())
        .isNotEmpty()
        .allMatch(name -> ALLOWED.stream().anyMatch(name::startsWith))
        .noneMatch(name -> SLOW.stream().anyMatch(name::startsWith));
  }

  private static List<String> used() throws Exception {
    var names = new ArrayList<String>();
    try (var files = Files.walk(Path.of("target/classes"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        StreamSupport.stream(ClassFile.of().parse(file).constantPool().spliterator(), false)
            .filter(ClassEntry.class::isInstance)
            .map(entry -> ((ClassEntry) entry).asInternalName())
            .filter(name -> !name.startsWith("["))
            .forEach(names::add);
      }
    }
    return names;
  }
}
