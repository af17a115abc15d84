package dev.substrat.provider.agentcli;

import dev.substrat.provider.prompt.Prompt;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parameters of one turn that a CLI needs.
///
/// `home` is the private home directory of its agent; `directory` is the working directory.
/// `session` is the conversation to continue, if there is one; otherwise a new one may be named
/// `newSession`.
public record CliAssignment(
    List<String> command,
    List<String> arguments,
    Path home,
    Path directory,
    boolean isWalled,
    @Nullable String model,
    @Nullable String baseUrl,
    @Nullable String apiKey,
    Prompt prompt,
    @Nullable String session,
    String newSession,
    ToolEndpoint door) {

  public CliAssignment {
    command = List.copyOf(command);
    arguments = List.copyOf(arguments);
  }

  /// The conversation this turn is part of, old or new.
  public String conversation() {
    return session == null ? newSession : session;
  }

  /// A file in its home, by the path that the process can open.
  public String file(String name) {
    return home.resolve(name).toString();
  }

  @Override
  public String toString() {
    // Neither key nor prompt may end in a log by accident.
    return "Assignment[" + command + " in " + directory + "]";
  }
}
