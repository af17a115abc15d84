package dev.substrat.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.protocol.DefaultDataDirectory;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DataDirectoryOptionTest {
  @Test
  void the_data_directory_is_in_the_home_from_the_environment() {
    assertThat(DefaultDataDirectory.defaultPath(Map.of("HOME", "/h")))
        .isEqualTo(Path.of("/h/.substrat"));
    assertThat(DefaultDataDirectory.defaultPath(Map.of("HOME", "/h", "SUBSTRAT_DATA", " ")))
        .isEqualTo(Path.of("/h/.substrat"));
    assertThat(DefaultDataDirectory.defaultPath(Map.of("HOME", "/h", "SUBSTRAT_DATA", "/d")))
        .isEqualTo(Path.of("/d"));
  }

  @Test
  void without_home_the_data_directory_is_in_the_users_home() {
    Path usual = Path.of(System.getProperty("user.home"), ".substrat");
    assertThat(DefaultDataDirectory.defaultPath(Map.of())).isEqualTo(usual);
    assertThat(DefaultDataDirectory.defaultPath(Map.of("HOME", ""))).isEqualTo(usual);
  }

  @Test
  void commands_use_the_data_directory_from_the_environment() {
    assertThat(DataDirectoryOption.defaultDirectory())
        .isEqualTo(DefaultDataDirectory.defaultPath(System.getenv()));
  }
}
