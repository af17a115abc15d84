package dev.substrat.upstream;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Walls around a program that somebody else wrote: it sees the files of this machine and changes
/// none, has a `/tmp` of its own, no network unless it needs one, and sees no other processes.
///
/// Made by bubblewrap where it is installed; elsewhere there are none.
record Sandbox(Path bubblewrap) {

  static Optional<Sandbox> find(String path) {
    return Stream.of(path.split(File.pathSeparator))
        .filter(place -> !place.isEmpty())
        .map(place -> Path.of(place, "bwrap"))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Sandbox::new);
  }

  /// How the program is started inside.
  List<String> around(ServerAddress.Program program) {
    var command = new ArrayList<String>();
    command.add(bubblewrap.toString());
    command.addAll(List.of("--die-with-parent", "--new-session", "--unshare-all"));
    if (program.hasNetwork()) {
      command.add("--share-net");
    }
    command.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"));
    command.addAll(List.of("--tmpfs", "/tmp"));
    for (Path hidden : program.hidden()) {
      command.addAll(List.of("--tmpfs", hidden.toAbsolutePath().toString()));
    }
    command.addAll(List.of("--chdir", program.directory().toAbsolutePath().toString(), "--"));
    command.addAll(program.command());
    return command;
  }
}
