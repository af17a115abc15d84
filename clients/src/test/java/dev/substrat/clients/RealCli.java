package dev.substrat.clients;

import dev.substrat.testkit.NpmPrograms;
import java.io.IOException;

/// A real agent CLI from npm, and its configuration as a provider.
enum RealCli {
  GOOSE("@aaif/goose-acp@1.50.0", "goose", "env: { OPENAI_API_KEY: sk-scripted }"),
  CODEX("@openai/codex@0.166.0", "codex", "");

  private final String source;
  private final String program;
  private final String more;

  RealCli(String source, String program, String more) {
    this.source = source;
    this.program = program;
    this.more = more;
  }

  /// If the CLI is not available, the test is skipped, or fails in CI.
  String provider(String settings) throws IOException, InterruptedException {
    NpmPrograms npm = NpmPrograms.require(source);
    return """
    provider:
      name: %s
      command: [%s]
      model: scripted-1
      baseUrl: '{{llm}}'
      %s
      %s
    """
        .formatted(program, npm.program(program), more, settings);
  }

  @Override
  public String toString() {
    return program;
  }
}
