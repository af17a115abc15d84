package dev.substrat.cli.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.protocol.DataFolder;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DataDirectoryOptionTest {
  @Test
  void it_is_in_the_home_that_the_environment_names() {
    assertThat(DataFolder.usual(Map.of("HOME", "/h"))).isEqualTo(Path.of("/h/.substrat"));
    assertThat(DataFolder.usual(Map.of("HOME", "/h", "SUBSTRAT_DATA", " ")))
        .isEqualTo(Path.of("/h/.substrat"));
    assertThat(DataFolder.usual(Map.of("HOME", "/h", "SUBSTRAT_DATA", "/d")))
        .isEqualTo(Path.of("/d"));
  }

  @Test
  void without_one_it_is_in_that_of_the_user() {
    Path usual = Path.of(System.getProperty("user.home"), ".substrat");
    assertThat(DataFolder.usual(Map.of())).isEqualTo(usual);
    assertThat(DataFolder.usual(Map.of("HOME", ""))).isEqualTo(usual);
  }

  @Test
  void commands_look_where_the_environment_says() {
    assertThat(DataDirectoryOption.usual()).isEqualTo(DataFolder.usual(System.getenv()));
  }
}
