package dev.substrat.provider;

/// Static capabilities of a provider. [Provider#probe] detects what depends on the installed
/// version.
///
/// `maxTools` is the maximum number of tools. `toolNamePattern` is the provider's name of a tool,
/// with `{tool}` for the agent's name of it.
public record ProviderCapabilities(
    boolean nativeFiles,
    boolean mcpStdio,
    boolean mcpHttp,
    boolean longLived,
    boolean resume,
    boolean partialText,
    boolean usage,
    boolean needsNetwork,
    int maxTools,
    String toolNamePattern,
    SystemPromptMethod systemPrompt,
    EventInjection injection) {

  /// Capabilities of a provider in this process that calls tools directly.
  public static final ProviderCapabilities OWN =
      new ProviderCapabilities(
          false,
          false,
          false,
          false,
          false,
          false,
          true,
          false,
          Integer.MAX_VALUE,
          "{tool}",
          SystemPromptMethod.MESSAGE,
          EventInjection.HISTORY);

  /// Capabilities of an agent CLI with one process per turn that reports its usage at the end and
  /// does not stream text.
  public static ProviderCapabilities ofCli(
      String toolNamePattern, SystemPromptMethod systemPrompt) {
    return new ProviderCapabilities(
        true,
        true,
        true,
        false,
        true,
        false,
        true,
        true,
        Integer.MAX_VALUE,
        toolNamePattern,
        systemPrompt,
        EventInjection.RESUME);
  }

  /// The same, with streamed text.
  public ProviderCapabilities withStreaming() {
    return with(true, usage);
  }

  /// The same, without reported usage.
  public ProviderCapabilities withoutUsage() {
    return with(partialText, false);
  }

  private ProviderCapabilities with(boolean inPieces, boolean tellsUsage) {
    return new ProviderCapabilities(
        nativeFiles,
        mcpStdio,
        mcpHttp,
        longLived,
        resume,
        inPieces,
        tellsUsage,
        needsNetwork,
        maxTools,
        toolNamePattern,
        systemPrompt,
        injection);
  }

  /// How the system prompt is passed.
  public enum SystemPromptMethod {
    FILE,
    FLAG,
    MESSAGE
  }

  /// How new events enter the conversation.
  public enum EventInjection {
    /// A new process continues the conversation.
    RESUME,
    /// Sent to a running process.
    LIVE,
    /// Appended to the history that Substrat sends.
    HISTORY
  }
}
