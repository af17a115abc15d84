package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.space.wakeup.HeldMessages;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.QueryPlans;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
final class HeldMessagesPlanTest {
  private final TestDatabase place;

  HeldMessagesPlanTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
  }

  @Test
  void held_messages_are_listed_without_reading_all_messages() throws IOException {
    try (place) {
      String plan =
          QueryPlans.of(place.open(), HeldMessages.SELECT + " order by said.id limit ?", 10);

      assertThat(plan).contains("space_message_held");
    }
  }
}
