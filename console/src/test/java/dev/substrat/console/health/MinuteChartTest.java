package dev.substrat.console.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MinuteChartTest {
  @Test
  void the_highest_column_fills_the_chart_and_the_lowest_can_be_seen() {
    var chart = MinuteChart.of("Turns", "turn", new long[] {0, 1_000, 1}, new long[] {0, 500, 0});

    assertThat(chart.sum()).isEqualTo("1.0k");
    assertThat(chart.note()).isEqualTo("500 failed");
    assertThat(chart.most()).isEqualTo("1.0k");
    assertThat(chart.columns()).hasSize(2);
    assertThat(chart.columns().getFirst().top()).isZero();
    assertThat(chart.columns().getFirst().bad()).isEqualTo(20);
    assertThat(chart.columns().getFirst().label()).isEqualTo("1.0k turns, 1 min ago");
    assertThat(chart.columns().getLast().height()).isEqualTo(1.5);
    assertThat(chart.columns().getLast().label()).isEqualTo("1 turn, this minute");
  }

  @Test
  void a_minute_without_events_has_no_column() {
    assertThat(MinuteChart.of("Turns", "turn", new long[60], new long[60]).columns()).isEmpty();
  }
}
