package dev.substrat.toolset.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import dev.substrat.toolset.workspace.ConfinedDirectory.MissingDirectoryPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// No path leads out of a confined directory.
@Timeout(300)
@Requirement({"S0-23", "S0-28"})
class ConfinedDirectoryTest {
  @TempDir private Path temporary;

  private Path inside = Path.of("");
  private Path outside = Path.of("");

  @BeforeEach
  void build() throws IOException {
    inside = Files.createDirectory(temporary.toRealPath().resolve("inside"));
    outside = Files.createDirectory(temporary.toRealPath().resolve("outside"));
    Files.writeString(outside.resolve("secret"), "hush");
  }

  private ConfinedDirectory room() throws IOException {
    return new ConfinedDirectory(inside, SafePath.ROOT, HiddenPaths.NOTHING);
  }

  private static SafePath path(String text) {
    return SafePath.parse("/path", text);
  }

  private String read(ConfinedDirectory room, String path) throws IOException {
    return room.at(
        path(path),
        MissingDirectoryPolicy.REFUSED,
        (folder, name, _) ->
            new String(FileContents.read(folder, name, 100), StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        "../outside/secret",
        "a/../../outside/secret",
        "a/..",
        "./../outside",
        "/etc/passwd",
        "//etc/passwd",
        "a\u0000b",
        "a\nb",
        "..\\outside\\secret",
        "C:\\secret\u007f",
        "a/\ud800/b"
      })
  void a_path_upwards_or_an_invalid_path_is_rejected(String text) {
    assertBlocked(catchThrowable(() -> path(text)));
  }

  @Test
  void a_path_that_is_too_long_is_rejected() {
    assertBlocked(catchThrowable(() -> path("a/".repeat(3_000))));
    assertBlocked(catchThrowable(() -> path("ä".repeat(128))));
    assertThat(path("ä".repeat(127)).names()).hasSize(1);
  }

  /// For a file system they are ordinary characters; they are not converted to dots or slashes.
  @ParameterizedTest
  @ValueSource(strings = {"．．／outside／secret", "‥/secret", "%2e%2e/outside", "a\u202e/b", "…"})
  void characters_that_look_like_dots_and_slashes_are_part_of_names(String text) throws Exception {
    Path made = room().in(path(text), MissingDirectoryPolicy.MADE, _ -> path(text).below(inside));
    assertThat(made.toRealPath()).startsWith(inside).isDirectory();
    assertThat(outside).isDirectoryContaining("glob:**secret");
  }

  @Test
  void a_link_to_the_outside_is_rejected_at_any_position() throws Exception {
    Files.createSymbolicLink(inside.resolve("door"), outside);
    Files.createSymbolicLink(inside.resolve("low-door"), Path.of("../outside"));
    Files.createSymbolicLink(inside.resolve("window"), outside.resolve("secret"));
    for (String way : new String[] {"door/secret", "low-door/secret", "window"}) {
      assertBlocked(catchThrowable(() -> read(room(), way)));
    }
    assertBlocked(
        catchThrowable(() -> room().in(path("door/new"), MissingDirectoryPolicy.MADE, _ -> true)));
    assertThat(outside.resolve("new")).doesNotExist();
  }

  @Test
  void a_link_to_itself_ends() throws Exception {
    Files.createSymbolicLink(inside.resolve("snake"), Path.of("snake"));
    Files.createSymbolicLink(inside.resolve("a"), Path.of("b"));
    Files.createSymbolicLink(inside.resolve("b"), Path.of("a"));
    assertBlocked(catchThrowable(() -> read(room(), "snake")));
    assertBlocked(catchThrowable(() -> read(room(), "a/file")));
  }

  @Test
  void a_link_inside_the_directory_is_followed() throws Exception {
    Files.createDirectories(inside.resolve("real/deep"));
    Files.writeString(inside.resolve("real/deep/file"), "here");
    Files.createSymbolicLink(inside.resolve("near"), Path.of("real/deep"));
    Files.createSymbolicLink(inside.resolve("far"), inside.resolve("real"));
    Files.createSymbolicLink(inside.resolve("real/up"), Path.of("../near/file"));
    assertThat(read(room(), "near/file")).isEqualTo("here");
    assertThat(read(room(), "far/deep/file")).isEqualTo("here");
    assertThat(read(room(), "far/up")).isEqualTo("here");
  }

  @Test
  void hidden_files_are_not_found_by_any_path() throws Exception {
    Path own = Files.createDirectory(inside.resolve("own"));
    Files.writeString(own.resolve("token"), "hush");
    Files.createSymbolicLink(inside.resolve("link"), own);
    Files.createSymbolicLink(inside.resolve("token"), own.resolve("token"));
    var room = new ConfinedDirectory(inside, SafePath.ROOT, HiddenPaths.of(List.of(own)));
    for (String path : List.of("own/token", "link/token", "token", "own")) {
      assertBlocked(catchThrowable(() -> read(room, path)));
    }
    assertBlocked(
        catchThrowable(() ->
            new ConfinedDirectory(inside, path("own"), HiddenPaths.of(List.of(own)))
                .in(SafePath.ROOT, MissingDirectoryPolicy.MADE, _ -> true)));
    assertThat(new DirectoryWalk(room).list(SafePath.ROOT, true, 100).files())
        .extracting(DirectoryWalk.DirectoryEntry::path)
        .containsExactly("link", "token");
    assertThat(new DirectoryWalk(room).search(SafePath.ROOT, "hush", false, 10).matches())
        .isEmpty();
    Files.move(own, inside.resolve("renamed"));
    assertBlocked(catchThrowable(() -> read(room, "renamed/token")));
  }

  @Test
  void a_child_directory_gives_no_access_to_its_parent() throws Exception {
    Files.writeString(inside.resolve("plans"), "mine");
    var below = new ConfinedDirectory(inside, path("team/ada"), HiddenPaths.NOTHING);
    below.in(SafePath.ROOT, MissingDirectoryPolicy.MADE, _ -> true);
    Files.createSymbolicLink(inside.resolve("team/ada/up"), Path.of("../../plans"));
    assertBlocked(catchThrowable(() -> read(below, "up")));
  }

  @Test
  void a_directory_that_was_replaced_by_a_link_is_rejected() throws Exception {
    var below = new ConfinedDirectory(inside, path("ada"), HiddenPaths.NOTHING);
    below.in(SafePath.ROOT, MissingDirectoryPolicy.MADE, _ -> true);
    Files.delete(inside.resolve("ada"));
    Files.createSymbolicLink(inside.resolve("ada"), outside);
    assertThat(catchThrowable(() -> read(below, "secret"))).isInstanceOf(IOException.class);
  }

  /// A thread swaps a directory for a link and back, as fast as possible.
  @Test
  void a_symbolic_link_swapped_during_access_is_not_followed() throws Exception {
    Files.createDirectory(inside.resolve("folder"));
    Files.writeString(inside.resolve("folder/secret"), "dull");
    Files.createSymbolicLink(inside.resolve("link"), outside);
    var done = new AtomicBoolean();
    Thread swapper =
        Thread.ofPlatform()
            .start(() -> {
              while (!done.get()) {
                swap("folder", "aside");
                swap("link", "folder");
                swap("folder", "link");
                swap("aside", "folder");
              }
            });
    try {
      // First without creating anything: a directory created during a swap would stay, and then
      // nothing is swapped any more.
      Await.until(this::readsDull, () -> "it never was a folder");
      for (int i = 0; i < 3_000; i++) {
        readsDull();
        make(room(), "folder/made");
      }
    } finally {
      done.set(true);
      swapper.join();
    }
    assertThat(outside.resolve("made")).doesNotExist();
  }

  /// False if there was nothing to read; a file outside is never read.
  private boolean readsDull() {
    try {
      assertThat(read(room(), "folder/secret")).isEqualTo("dull");
      return true;
    } catch (IOException | Fault refused) {
      assertThat(refused).hasMessageNotContaining("hush");
      return false;
    }
  }

  /// Success or not: it must not be created outside.
  private static void make(ConfinedDirectory room, String path) {
    try {
      room.in(path(path), MissingDirectoryPolicy.MADE, _ -> true);
    } catch (IOException | Fault refused) {
      assertThat(refused).hasMessageNotContaining("hush");
    }
  }

  private void swap(String from, String to) {
    try {
      Files.move(inside.resolve(from), inside.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      // It was in use; the next round tries again.
    }
  }

  private static void assertBlocked(Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.PATH_BLOCKED));
  }
}
