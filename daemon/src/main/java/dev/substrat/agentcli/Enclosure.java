package dev.substrat.agentcli;

import dev.substrat.process.ChildProcess.Launch;
import dev.substrat.provider.MindEvent;
import dev.substrat.provider.TurnView;
import dev.substrat.sandbox.Sandbox;
import dev.substrat.sandbox.Walls;
import dev.substrat.team.Mind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Where an agent's CLI works and the walls around it. It sees its workspace, its own home and the
/// programs it is made of; where there are no walls here, it sees what the daemon sees, and that is
/// said.
final class Enclosure {
  private final Machine machine;
  private final Sandbox sandbox;
  private final Path directory;
  private final Walls walls;

  private Enclosure(Machine machine, Path directory, Walls walls) {
    this.machine = machine;
    this.sandbox = machine.workspaces().sandbox();
    this.directory = directory;
    this.walls = walls;
  }

  static Enclosure of(Machine machine, TurnView turn, Mind mind) {
    Path directory =
        mind.directory() == null
            ? machine.workspaces().directory(turn.agent())
            : Path.of(mind.directory());
    Walls walls = machine.workspaces().walls(turn.agent());
    var enclosure = new Enclosure(machine, directory, walls);
    if (walls.strength() != Walls.Strength.OFF && !enclosure.sandbox.works()) {
      turn.tell(new MindEvent.Unwalled(enclosure.sandbox.state().detail()));
    }
    return enclosure;
  }

  Path directory() {
    return directory;
  }

  /// True if it cannot do any harm outside, whatever it runs.
  boolean isWalled() {
    return walls.strength() != Walls.Strength.OFF && sandbox.works();
  }

  /// Only with a network can it reach the daemon's address.
  boolean hasNetwork() {
    return !isWalled() || walls.hasNetwork();
  }

  Launch around(Launch launch, PrivateHome home, Door door) throws IOException {
    if (walls.strength() == Walls.Strength.OFF) {
      return launch;
    }
    Walls all = walls.writing(home.path()).writing(directory);
    var programs = new LinkedHashSet<>(parts(launch.command().getFirst()));
    if (door instanceof Door.Stdio stdio) {
      programs.addAll(parts(stdio.command().getFirst()));
      programs.add(Path.of(System.getProperty("java.home")));
      programs.add(machine.data().resolve("daemon.json"));
      programs.add(machine.data().resolve("daemon.sock"));
    }
    for (Path program : programs) {
      all = Files.exists(program) ? all.reading(program) : all;
    }
    return sandbox.launch(launch, all);
  }

  /// A program, the link that leads to it, and the package it is part of; and the Node that many
  /// are run by.
  private static Set<Path> parts(String word) throws IOException {
    var parts = new LinkedHashSet<Path>();
    for (String name : List.of(word, "node")) {
      Optional<Path> found = new Program(List.of(name)).find();
      if (found.isPresent()) {
        Path real = found.get().toRealPath();
        parts.add(packaged(found.get().toAbsolutePath().normalize()));
        parts.add(packaged(real));
      }
    }
    return parts;
  }

  /// The folder that a program's package was installed into, or the one it is in.
  private static Path packaged(Path program) {
    for (Path at = program; at != null; at = at.getParent()) {
      if (at.endsWith("node_modules")) {
        return at;
      }
    }
    return program.resolveSibling("");
  }
}
