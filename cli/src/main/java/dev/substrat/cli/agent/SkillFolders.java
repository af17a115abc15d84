package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads and writes skill folders, each with a `SKILL.md`. Symbolic links are not followed, because
/// the folders are untrusted.
final class SkillFolders {
  private static final String FILE = "SKILL.md";
  private static final int MAX_SIZE = 256 * 1024;
  private static final int MAX_COUNT = 200;
  private static final int MAX_ENTRIES = 5_000;

  private SkillFolders() {}

  /// The skills that were found, and notes about ignored parts.
  record SkillScanResult(ArrayNode skills, List<String> notes) {}

  static SkillScanResult read(Path root) {
    List<Path> folders = isThere(root.resolve(FILE)) ? List.of(root) : folders(root);
    var found = new SkillScanResult(JsonTree.object().putArray("skills"), new ArrayList<>());
    var names = new HashSet<String>();
    for (Path folder : folders) {
      if (isThere(folder.resolve(FILE))) {
        add(folder, found, names);
      } else {
        found.notes().add("%s has no %s and was ignored".formatted(folder, FILE));
      }
    }
    if (found.skills().isEmpty()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "no %s found in %s or in its folders".formatted(FILE, root),
          "pass a skill folder, or a folder that contains skill folders");
    }
    return found;
  }

  private static void add(Path folder, SkillScanResult found, Set<String> names) {
    Path file = folder.resolve(FILE);
    SkillFile skill =
        SkillFile.parse(
            file.toString(), BoundedFileReader.read(file, MAX_SIZE, LinkOption.NOFOLLOW_LINKS));
    String name = skill.skill().path("name").asText();
    if (!names.add(name)) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "%s: another skill has the same name %s".formatted(file, name),
          "rename one of the skills");
    }
    if (found.skills().size() == MAX_COUNT) {
      throw ErrorCode.TOO_LARGE.fault(
          "more than %d skills".formatted(MAX_COUNT), "import fewer skills per command");
    }
    found.skills().add(skill.skill());
    if (!skill.passedOver().isEmpty()) {
      found
          .notes()
          .add("%s: ignored keys: %s".formatted(name, String.join(", ", skill.passedOver())));
    }
    List<String> beside = entries(folder).stream().map(SkillFolders::name).toList();
    if (beside.size() > 1) {
      found
          .notes()
          .add(
              "%s: only %s is imported; other files and folders ignored: %d"
                  .formatted(name, FILE, beside.size() - 1));
    }
  }

  private static List<Path> folders(Path root) {
    return entries(root).stream()
        .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
        .filter(path -> !name(path).startsWith("."))
        .toList();
  }

  private static List<Path> entries(Path folder) {
    try (var entries = Files.list(folder)) {
      return entries.limit(MAX_ENTRIES).sorted().toList();
    } catch (IOException e) {
      throw failed("cannot read", folder, e);
    }
  }

  private static boolean isThere(Path file) {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /// Returns the written files. If one of the folders exists, nothing is written.
  static List<Path> write(Path root, JsonNode skills) {
    Map<Path, String> files = new LinkedHashMap<>();
    var taken = new HashSet<String>();
    for (JsonNode skill : skills) {
      String folder = free(Handle.slug(skill.path("name").asText()), taken);
      files.put(root.resolve(folder).resolve(FILE), SkillFile.text(skill, folder));
    }
    for (Path file : files.keySet()) {
      if (Files.exists(file.getParent(), LinkOption.NOFOLLOW_LINKS)) {
        throw ErrorCode.CONFLICT.fault(
            file.getParent() + " already exists",
            "choose an empty folder, or delete this folder first");
      }
    }
    files.forEach(SkillFolders::write);
    return List.copyOf(files.keySet());
  }

  private static String free(String slug, Set<String> taken) {
    String wanted = slug.isEmpty() ? "skill" : slug;
    String name = wanted;
    for (int suffix = 2; !taken.add(name); suffix++) {
      name = wanted + "-" + suffix;
    }
    return name;
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw failed("cannot write", file, e);
    }
  }

  private static Fault failed(String what, Path path, IOException e) {
    return ErrorCode.INVALID_ARGUMENTS.fault(
        "%s %s: %s".formatted(what, path, e.getMessage()), "check the path and its permissions", e);
  }
}
