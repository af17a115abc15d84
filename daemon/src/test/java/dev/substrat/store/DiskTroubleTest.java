package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Guarantees of the embedded database when the disk is full, read-only or broken.
final class DiskTroubleTest {
  private static final String PAGE = "x".repeat(4_000);

  @Test
  void a_full_disk_rejects_writes_and_keeps_acknowledged_rows() throws Exception {
    try (var disk = SmallDisk.inMemory(3)) {
      List<String> kept = new ArrayList<>();
      try (var database = open(disk.file())) {
        disk.fill();
        Fault refused = putUntilFull(database, kept);
        assertThat(refused.code()).isEqualTo(ErrorCode.DISK_FULL);
        assertThat(refused.hint()).contains("free disk space");
        assertThat(TestRows.ids(database)).isEqualTo(kept);
      }
      disk.freeSpace();
      try (var database = open(disk.file())) {
        assertThat(TestRows.ids(database)).isEqualTo(kept);
      }
    }
  }

  @Test
  void after_space_was_freed_writes_succeed_without_a_restart() throws Exception {
    try (var disk = SmallDisk.inMemory(3)) {
      List<String> kept = new ArrayList<>();
      try (var database = open(disk.file())) {
        for (int round = 0; round < 3; round++) {
          disk.fill();
          putUntilFull(database, kept);
          disk.freeSpace();
          putSeveral(database, kept);
        }
        assertThat(TestRows.ids(database)).isEqualTo(kept);
      }
      try (var database = open(disk.file())) {
        assertThat(TestRows.ids(database)).isEqualTo(kept);
      }
    }
  }

  private static Fault putUntilFull(Database database, List<String> kept) {
    for (int i = 0; i < 10_000; i++) {
      String id = "letter-%05d".formatted(kept.size());
      try {
        TestRows.put(database, id, PAGE);
        kept.add(id);
      } catch (Fault refused) {
        return refused;
      }
    }
    throw new AssertionError("the disk never got full");
  }

  private static void putSeveral(Database database, List<String> kept) {
    for (int i = 0; i < 5; i++) {
      String id = "letter-%05d".formatted(kept.size());
      TestRows.put(database, id, PAGE);
      kept.add(id);
    }
  }

  @Test
  void on_a_full_disk_only_the_too_large_transaction_fails() throws Exception {
    try (var disk = SmallDisk.inMemory(4);
        var database = open(disk.file());
        var crowd = new ConcurrentCallers(database)) {
      String book = PAGE.repeat(2_000);
      crowd.holdTheWriter();
      var small = new ArrayList<ConcurrentCallers.Caller<Integer>>();
      for (int i = 0; i < 10; i++) {
        String id = "before-" + i;
        small.add(crowd.call(tx -> TestRows.put(tx, id, "small")));
      }
      var huge = crowd.call(tx -> TestRows.put(tx, "huge", book));
      for (int i = 0; i < 10; i++) {
        String id = "later-" + i;
        small.add(crowd.call(tx -> TestRows.put(tx, id, "small")));
      }
      crowd.letTheWriterGo();

      assertThatFault(huge::outcome, ErrorCode.DISK_FULL);
      for (var caller : small) {
        assertThat(caller.outcome()).isEqualTo(1);
      }
      assertThat(TestRows.ids(database)).hasSize(20).doesNotContain("huge");
    }
  }

  @Test
  void a_read_only_disk_is_reported_when_opening() throws Exception {
    try (var disk = SmallDisk.inMemory(3)) {
      try (var database = open(disk.file())) {
        TestRows.put(database, "before", "x");
      }
      disk.remount("ro");
      assertThatFault(() -> open(disk.file()), ErrorCode.DATABASE_READ_ONLY);
      assertThatFault(
          () -> open(disk.file().resolveSibling("new.db")), ErrorCode.DATABASE_READ_ONLY);

      disk.remount("rw");
      try (var database = open(disk.file())) {
        assertThat(TestRows.ids(database)).containsExactly("before");
      }
    }
  }

  @Test
  void a_disk_failure_is_reported_and_stored_rows_can_be_read() throws Exception {
    try (var disk = SmallDisk.journaled(8)) {
      try (var database = open(disk.file())) {
        TestRows.put(database, "before", "x");
        disk.remount("abort");

        assertThatThrownBy(() -> TestRows.put(database, "after", "x"))
            .isInstanceOfSatisfying(
                Fault.class,
                fault ->
                    assertThat(fault.code())
                        .isIn(ErrorCode.DATABASE_READ_ONLY, ErrorCode.DATABASE_UNREACHABLE));
        assertThat(TestRows.ids(database)).containsExactly("before");
      }
    }
  }

  private static Database open(Path file) {
    return Database.embedded(file, InstantSource.system());
  }

  private static void assertThatFault(ThrowingCallable work, ErrorCode code) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(
            Fault.class,
            fault -> {
              assertThat(fault.code()).isEqualTo(code);
              assertThat(fault.hint()).isNotBlank();
            });
  }
}
