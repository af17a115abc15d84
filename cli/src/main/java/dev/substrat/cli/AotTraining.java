package dev.substrat.cli;

import dev.substrat.cli.shell.Terminal;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Runs commands of every kind once, so that the JVM can keep what it learned in a cache: `java
/// -XX:AOTCacheOutput=FILE dev.substrat.cli.AotTraining DATA`.
///
/// A cache helps only what was loaded while it was made. Nothing here changes the daemon, and it
/// does not matter whether one runs, except that more is learned if it does.
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
    TypedArguments.arguments(args);
    for (String command : COMMANDS) {
      CliMain.run(Terminal.of(nowhere, nowhere), ("--data " + args[0] + " " + command).split(" "));
    }
  }
}
