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
public record CliTurnParameters(
    List<String> command,
    List<String> arguments,
    Path home,
    Path directory,
    boolean isSandboxed,
    @Nullable String model,
    @Nullable String baseUrl,
    @Nullable String apiKey,
    Prompt prompt,
    @Nullable String session,
    String newSession,
    ToolEndpoint endpoint) {

  public CliTurnParameters {
    command = List.copyOf(command);
    arguments = List.copyOf(arguments);
  }

  /// Id of the conversation, existing or new.
  public String conversation() {
    return session == null ? newSession : session;
  }

  /// Path of a file in its home directory.
  public String file(String name) {
    return home.resolve(name).toString();
  }

  @Override
  public String toString() {
    // Without API key and prompt, which must not get into a log.
    return "Assignment[" + command + " in " + directory + "]";
  }
}
