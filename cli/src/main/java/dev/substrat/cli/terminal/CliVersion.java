package dev.substrat.cli.terminal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/// Version of the command line, from the build.
public final class CliVersion implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {"substrat " + number()};
  }

  public static String number() {
    try (var resource = CliVersion.class.getResourceAsStream("/dev/substrat/cli/version")) {
      return resource == null
          ? "(unknown version)"
          : new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
