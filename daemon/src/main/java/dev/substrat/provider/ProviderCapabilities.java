package dev.substrat.provider;

/// Static capabilities of a provider. What depends on an installed version is found out by
/// [Provider#probe].
///
/// `maxTools` is the maximum number of tools, and `toolNamePattern` how the provider renames a
/// tool, with `{tool}` for its name.
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
    SystemPrompt systemPrompt,
    Injection injection) {

  /// Of a provider in this process that calls tools directly.
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
          SystemPrompt.MESSAGE,
          Injection.HISTORY);

  /// Of an agent CLI that is started for each turn, tells what it used when it ends, and says what
  /// it says at once.
  public static ProviderCapabilities ofCli(String toolNamePattern, SystemPrompt systemPrompt) {
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
        Injection.RESUME);
  }

  /// The same, of one that says what it says piece by piece.
  public ProviderCapabilities withStreaming() {
    return with(true, usage);
  }

  /// The same, of one that does not tell what it used.
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
  public enum SystemPrompt {
    FILE,
    FLAG,
    MESSAGE
  }

  /// How new events enter the conversation.
  public enum Injection {
    /// A new process goes on with the old conversation.
    RESUME,
    /// Sent to a running process.
    LIVE,
    /// It is appended to a history of ours.
    HISTORY
  }
}
