package dev.substrat.cli.configedit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EditableTextFileTest {
  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("c.json"), text);
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void the_first_change_creates_a_backup() throws IOException {
    Path file = file("one");
    Path backup = folder.resolve("c.json.substrat-backup");

    assertThat(EditableTextFile.read(file).write("two")).hasValue(backup);
    assertThat(EditableTextFile.read(file).write("three")).isEmpty();

    assertThat(file).hasContent("three");
    assertThat(backup).hasContent("one");
    assertThat(folder.toFile().list()).hasSize(2);
  }

  @Test
  void permissions_are_kept_and_copied_to_the_backup() throws IOException {
    Path file = file("one");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));

    EditableTextFile.read(file).write("two");

    assertThat(rights(file)).isEqualTo("rw-rw-r--");
    assertThat(rights(EditableTextFile.read(file).backup())).isEqualTo("rw-rw-r--");
  }

  @Test
  void a_new_file_is_readable_by_its_owner_only() throws IOException {
    Path file = folder.resolve("deep/er/c.json");

    assertThat(EditableTextFile.read(file).exists()).isFalse();
    assertThat(EditableTextFile.read(file).write("one")).isEmpty();

    assertThat(file).hasContent("one");
    assertThat(rights(file)).isEqualTo("rw-------");
  }

  @Test
  void a_link_stays_a_link() throws IOException {
    Path real = Files.createDirectory(folder.resolve("dotfiles")).resolve("real.json");
    Path inner = Files.createSymbolicLink(folder.resolve("dotfiles/inner"), Path.of("real.json"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("dotfiles/inner"));

    EditableTextFile.read(link).write("new although the link led nowhere");
    EditableTextFile.read(link).write("two");

    assertThat(link).isSymbolicLink();
    assertThat(inner).isSymbolicLink();
    assertThat(real).isRegularFile().hasContent("two");
    assertThat(folder.resolve("link.substrat-backup")).isRegularFile();
  }

  @Test
  void a_byte_order_mark_is_preserved() throws IOException {
    Path file = file("\ufeff{}");

    var read = EditableTextFile.read(file);
    assertThat(read.text()).isEqualTo("{}");
    read.write("{1}");

    assertThat(Files.readString(file)).isEqualTo("\ufeff{1}");
  }

  @Test
  void a_concurrently_changed_file_is_not_overwritten() throws IOException {
    Path file = file("one");
    var read = EditableTextFile.read(file);
    var missing = EditableTextFile.read(folder.resolve("none"));
    Files.writeString(file, "theirs");
    Files.writeString(folder.resolve("none"), "theirs");

    assertThatThrownBy(() -> read.write("ours"))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("changed by another program");
    assertThatThrownBy(() -> missing.write("ours")).isInstanceOf(Fault.class);
    assertThat(file).hasContent("theirs");
    assertThat(read.backup()).doesNotExist();
  }

  @Test
  void invalid_utf8_is_rejected() throws IOException {
    Path file = Files.write(folder.resolve("c"), "é".getBytes(StandardCharsets.ISO_8859_1));

    assertThatThrownBy(() -> EditableTextFile.read(file))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("not UTF-8");
    assertThatThrownBy(() -> EditableTextFile.read(folder)).isInstanceOf(Fault.class);
  }
}
