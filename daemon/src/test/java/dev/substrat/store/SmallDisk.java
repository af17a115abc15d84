package dev.substrat.store;

import dev.substrat.testkit.Prerequisite;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A real disk of a few megabytes, to be filled and broken. Only root can mount one; for other
/// users its tests are skipped.
public final class SmallDisk implements AutoCloseable {
  private static final int BLOCK = 4096;

  private final Path place;
  private final List<Path> leftovers;

  private SmallDisk(Path place, List<Path> leftovers) {
    this.place = place;
    this.leftovers = leftovers;
  }

  /// In memory: fast, and full when it is full.
  public static SmallDisk inMemory(int megabytes) throws IOException {
    Path place = Files.createTempDirectory("substrat-disk-");
    var disk = new SmallDisk(place, List.of(place));
    disk.mount("-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", place.toString());
    return disk;
  }

  /// With a journal in a file: the kernel makes it read-only when it finds an error, even with open
  /// files.
  public static SmallDisk journaled(int megabytes) throws IOException {
    Path image = Files.createTempFile("substrat-disk-", ".img");
    Path place = Files.createTempDirectory("substrat-disk-");
    var disk = new SmallDisk(place, List.of(place, image));
    Files.write(image, new byte[megabytes << 20]);
    var made = run("mkfs.ext4", "-q", image.toString());
    if (made.isEmpty()) {
      disk.mount("-o", "loop,errors=remount-ro", image.toString(), place.toString());
    }
    Prerequisite.requireMachine(made.isEmpty(), "cannot make a file system: " + made);
    return disk;
  }

  private void mount(String... arguments) throws IOException {
    var command = new ArrayList<>(List.of("mount"));
    command.addAll(List.of(arguments));
    String trouble = run(command.toArray(String[]::new));
    if (!trouble.isEmpty()) {
      deleteLeftovers();
    }
    Prerequisite.requireMachine(trouble.isEmpty(), "cannot mount a disk: " + trouble);
  }

  public Path directory() {
    return place;
  }

  Path file() {
    return place.resolve("substrat.db");
  }

  /// Takes every byte that is left.
  public void fill() throws IOException {
    try (OutputStream out = Files.newOutputStream(filler())) {
      while (true) {
        out.write(new byte[BLOCK]);
      }
    } catch (IOException full) {
      // As intended.
    }
  }

  public void freeSpace() throws IOException {
    Files.delete(filler());
  }

  private Path filler() {
    return place.resolve("filler");
  }

  /// Mount option for errors of the disk, for example `ro`, `rw` or `abort`.
  void remount(String options) throws IOException {
    String trouble = run("mount", "-o", "remount," + options, place.toString());
    Prerequisite.requireMachine(trouble.isEmpty(), "cannot remount the disk: " + trouble);
  }

  /// Error output of the command; empty if it succeeded.
  private static String run(String... command) throws IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return "there is no such command: " + e.getMessage();
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.onExit().join().exitValue() == 0 ? "" : "failed: " + said.strip();
  }

  @Override
  public void close() throws IOException {
    String trouble = run("umount", place.toString());
    if (!trouble.isEmpty()) {
      // Something still has a file open; it goes away when that is closed.
      run("umount", "--lazy", place.toString());
      deleteLeftovers();
      throw new IllegalStateException(trouble);
    }
    deleteLeftovers();
  }

  private void deleteLeftovers() throws IOException {
    for (Path leftover : leftovers) {
      Files.deleteIfExists(leftover);
    }
  }
}
