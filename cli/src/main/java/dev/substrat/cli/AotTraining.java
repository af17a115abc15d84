package dev.substrat.cli;

import dev.substrat.cli.terminal.Terminal;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Training run for the JVM's AOT cache: runs commands of every kind once. Start it with `java
/// -XX:AOTCacheOutput=FILE dev.substrat.cli.AotTraining DATA`.
///
/// The cache covers only classes that were loaded during the run. No command here changes the
/// daemon. Without a running daemon the commands fail, and the cache covers less.
public final class AotTraining {
  private static final String[] COMMANDS = {
    "status",
    "status --json",
    "agent list",
    "agent tree",
    "inbox",
    "token list",
    "run list",
    "export",
    "agent show rehearsal",
    "send rehearsal hello --wait --timeout 1s",
    "--help",
    "agent creat"
  };

  private AotTraining() {}

  public static void main(String[] args) {
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    Terminal.system();
    ArgumentDecoder.arguments(args);
    for (String command : COMMANDS) {
      CliMain.run(Terminal.of(nowhere, nowhere), ("--data " + args[0] + " " + command).split(" "));
    }
  }
}
