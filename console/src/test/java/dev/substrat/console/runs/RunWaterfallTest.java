package dev.substrat.console.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunWaterfallTest {
  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

  @Test
  void bars_are_placed_by_time_and_stay_within_the_scale() {
    var tenSeconds = new RunWaterfall(NOON, NOON.plusSeconds(10), List.of(), null, false);

    assertThat(tenSeconds.place(NOON.plusSeconds(5))).isEqualTo(50);
    assertThat(tenSeconds.share(NOON.plusSeconds(5), NOON.plusSeconds(6))).isEqualTo(10);
    assertThat(tenSeconds.share(NOON, NOON)).as("too short to see").isEqualTo(0.5);
    assertThat(tenSeconds.place(NOON.plusSeconds(99))).isEqualTo(99.5);
    assertThat(tenSeconds.share(NOON.plusSeconds(9), NOON.plusSeconds(99))).isEqualTo(10);
    assertThat(tenSeconds.marks())
        .extracting(RunWaterfall.ScaleMark::label)
        .containsExactly("0", "2 s", "4 s", "6 s", "8 s");
  }

  @Test
  void times_on_the_scale_are_round() {
    assertThat(labels(1)).containsExactly("0");
    assertThat(labels(9)).containsExactly("0", "2 ms", "4 ms", "6 ms", "8 ms");
    assertThat(labels(87)).containsExactly("0", "20 ms", "40 ms", "60 ms", "80 ms");
    assertThat(labels(1_900)).containsExactly("0", "500 ms", "1000 ms", "1500 ms");
    assertThat(labels(95_000)).containsExactly("0", "20 s", "40 s", "60 s", "80 s");
    assertThat(labels(400_000)).containsExactly("0", "2 min", "4 min", "6 min");
    assertThat(labels(20 * 86_400_000L)).containsExactly("0", "96 h", "192 h", "288 h", "384 h");
  }

  private static List<String> labels(long millis) {
    var run = new RunWaterfall(NOON, NOON.plusMillis(millis), List.of(), null, false);
    return run.marks().stream().map(RunWaterfall.ScaleMark::label).toList();
  }

  @Test
  void a_turn_of_zero_duration_has_a_length() {
    var none = new RunWaterfall(NOON, NOON, List.of(), null, false);
    assertThat(none.place(NOON)).isZero();
    assertThat(none.share(NOON, NOON)).isEqualTo(0.5);
  }

  @Test
  void a_long_text_is_not_cut_inside_a_surrogate_pair() {
    assertThat(TitledText.of("", "short").missing()).isZero();
    var cut = TitledText.of("", "x".repeat(11_999) + "😀".repeat(10));
    assertThat(cut.text()).hasSize(11_999);
    assertThat(cut.missing()).isEqualTo(20);
  }
}
