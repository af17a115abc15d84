package dev.substrat.console.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WaterfallTest {
  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

  @Test
  void bars_stand_where_they_happened_and_never_leave_the_lane() {
    var tenSeconds = new Waterfall(NOON, NOON.plusSeconds(10), List.of(), null, false);

    assertThat(tenSeconds.place(NOON.plusSeconds(5))).isEqualTo(50);
    assertThat(tenSeconds.share(NOON.plusSeconds(5), NOON.plusSeconds(6))).isEqualTo(10);
    assertThat(tenSeconds.share(NOON, NOON)).as("too short to see").isEqualTo(0.5);
    assertThat(tenSeconds.place(NOON.plusSeconds(99))).isEqualTo(99.5);
    assertThat(tenSeconds.share(NOON.plusSeconds(9), NOON.plusSeconds(99))).isEqualTo(10);
    assertThat(tenSeconds.marks())
        .extracting(Waterfall.Mark::label)
        .containsExactly("0", "2.5 s", "5.0 s", "7.5 s");
  }

  @Test
  void a_turn_that_took_no_time_has_a_length_all_the_same() {
    var none = new Waterfall(NOON, NOON, List.of(), null, false);
    assertThat(none.place(NOON)).isZero();
    assertThat(none.share(NOON, NOON)).isEqualTo(0.5);
  }

  @Test
  void a_long_text_is_cut_between_two_signs() {
    assertThat(Passage.of("", "short").missing()).isZero();
    var cut = Passage.of("", "x".repeat(11_999) + "😀".repeat(10));
    assertThat(cut.text()).hasSize(11_999);
    assertThat(cut.missing()).isEqualTo(20);
  }
}
