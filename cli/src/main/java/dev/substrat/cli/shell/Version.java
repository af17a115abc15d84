package dev.substrat.cli.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/// The version of this command line, as the build wrote it down.
public final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() throws IOException {
    try (var resource = Version.class.getResourceAsStream("/dev/substrat/cli/version")) {
      String number =
          resource == null
              ? "(unknown version)"
              : new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
      return new String[] {"substrat " + number};
    }
  }
}
