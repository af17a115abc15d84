package dev.substrat.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.access.limit.TokenBuckets;
import dev.substrat.messaging.message.UnreadMessages;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.TurnSleep;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Records of external agents that are written after the answer, on a database that stops writing.
@Requirement({"S4-20", "N1"})
final class RecordQueueTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final InstantSource clock = InstantSource.system();
  private final Telemetry telemetry = Telemetry.withoutExport();
  private final FailingDatabase database = new FailingDatabase(place.open());
  private final EventLog events = new EventLog(database, clock);
  private final Engine engine =
      new Engine(new EngineDependencies(database, events, telemetry, clock, TurnSleep.REAL));
  private final Agent ada =
      engine
          .agents()
          .create(Json.as(Yaml.own("{name: ada, provider: {name: external}}"), AgentConfig.class));
  private final ToolCaller caller = engine.externalRuns().caller(ada);
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger writes = new AtomicInteger();
  private final ToolPipeline pipeline = pipeline();

  @AfterEach
  void close() throws IOException {
    events.close();
    telemetry.close();
    place.close();
  }

  /// The record of the read fails before its call returns, as on a full disk.
  @Test
  void after_a_failed_record_a_write_without_key_is_not_executed_before_its_row_is_durable() {
    database.isFailing = true;
    call("read");
    assertThat(reads).hasValue(1);

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> call("write")).isInstanceOf(Fault.class);
    }
    assertThat(writes).as("executed without a durable row").hasValue(0);
  }

  @Test
  void after_a_failed_record_writes_are_executed_again_once_a_row_was_stored() {
    database.isFailing = true;
    call("read");
    assertThatThrownBy(() -> call("write")).isInstanceOf(Fault.class);

    database.isFailing = false;
    call("write");
    call("write");

    assertThat(writes).hasValue(2);
    assertThat(database.<Long>read(tx -> tx.number("select count(*) as n from run_line")))
        .as("rows of two writes and their results")
        .isEqualTo(4);
  }

  /// Input and output of the tools.
  public record Nothing() {}

  /// A tool that reaches beyond the database.
  private record OpenWorldTool(Tool tool) implements DelegatingTool {
    @Override
    public boolean isOpenWorld() {
      return true;
    }
  }

  private static Tool counting(String name, ToolEffect effect, AtomicInteger calls) {
    return new OpenWorldTool(
        SimpleTool.of(
            name,
            effect,
            Nothing.class,
            Nothing.class,
            "Counts its calls.",
            (_, _) -> {
              calls.incrementAndGet();
              return new Nothing();
            }));
  }

  private ToolPipeline pipeline() {
    return new ToolPipeline(
        List.of(
            new Toolset(
                "team",
                List.of(
                    counting("read", ToolEffect.LOOKS, reads),
                    counting("write", ToolEffect.DOES, writes)))),
        new ToolPipeline.PipelineDependencies(
            database,
            events,
            engine.transcript(),
            new CallLimits(new TokenBuckets(clock)),
            new UnreadMessages(database, clock),
            engine.customTools().answers(),
            telemetry,
            clock));
  }

  private void call(String tool) {
    pipeline.call(new ToolCall(caller, 0, tool, null), tool, Json.object());
  }

  /// A database with one writer, which rejects every write while `isFailing`.
  private static final class FailingDatabase implements Database {
    private final Database database;
    private volatile boolean isFailing;

    FailingDatabase(Database database) {
      this.database = database;
    }

    @Override
    public <T> T transact(TransactionBody<T> work) {
      if (isFailing) {
        throw failure();
      }
      return database.transact(work);
    }

    @Override
    public void transactDeferred(TransactionBody<?> work, Consumer<Throwable> failed) {
      if (isFailing) {
        failed.accept(failure());
      } else {
        database.transactDeferred(work, failed);
      }
    }

    private static Fault failure() {
      return new Fault(ErrorCode.DATABASE_READ_ONLY, "the disk is full", "free some space");
    }

    @Override
    public boolean hasOneWriter() {
      return true;
    }

    @Override
    public <T> T read(TransactionBody<T> work) {
      return database.read(work);
    }

    @Override
    public AutoCloseable listen(String channel, Consumer<String> heard) {
      return database.listen(channel, heard);
    }

    @Override
    public Dialect dialect() {
      return database.dialect();
    }

    @Override
    public void close() {
      database.close();
    }
  }
}
