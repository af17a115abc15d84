package dev.substrat.server;

import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// A real database that kills its process at one step, and counts all steps.
///
/// A step is a place in the source that starts a transaction, and its caller: steps are found, not
/// listed, so a new one is in the matrix as soon as the load reaches it.
final class KillingDatabase implements Database {
  private static final String OURS = "dev.substrat.";

  private final Database real;
  private final Optional<KillPoint> death;
  private final Consumer<Map<String, Integer>> atTheEnd;
  private final Map<String, Integer> steps = new ConcurrentHashMap<>();

  KillingDatabase(
      Database real, Optional<KillPoint> death, Consumer<Map<String, Integer>> atTheEnd) {
    this.real = real;
    this.death = death;
    this.atTheEnd = atTheEnd;
  }

  @Override
  public <T> T transact(TransactionBody<T> work) {
    return real.transact(mortal(work));
  }

  @Override
  public void transactDeferred(TransactionBody<?> work, Consumer<Throwable> failed) {
    real.transactDeferred(mortal(work), failed);
  }

  @Override
  public boolean hasOneWriter() {
    return real.hasOneWriter();
  }

  private <T> TransactionBody<T> mortal(TransactionBody<T> work) {
    String step = step();
    int time = steps.merge(step, 1, Integer::sum);
    return death
        // From the n-th on: a transaction that is rolled back has no commit to die after.
        .filter(it -> it.step().equals(step) && time >= it.time())
        .map(it -> dying(work, it.place()))
        .orElse(work);
  }

  private static <T> TransactionBody<T> dying(TransactionBody<T> work, KillPoint.Place place) {
    if (place == KillPoint.Place.BEFORE_IT_BEGINS) {
      Sigkill.now();
    }
    return tx -> {
      if (place == KillPoint.Place.AFTER_ITS_COMMIT) {
        // First of all, so that not even a bell has rung.
        tx.afterCommit(Sigkill::now);
      }
      T result = work.in(tx);
      if (place == KillPoint.Place.BEFORE_ITS_COMMIT) {
        Sigkill.now();
      }
      return result;
    };
  }

  private static String step() {
    return StackWalker.getInstance()
        .walk(frames ->
            frames
                .filter(frame -> frame.getClassName().startsWith(OURS))
                .filter(frame -> !frame.getClassName().equals(KillingDatabase.class.getName()))
                .filter(frame -> !frame.getClassName().equals(Database.class.getName()))
                .limit(2)
                .map(KillingDatabase::name)
                .collect(Collectors.joining(" < ")));
  }

  private static String name(StackWalker.StackFrame frame) {
    String type = frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1);
    // lambda$settle$3 is settle.
    String method = frame.getMethodName().replaceFirst("^lambda\\$(\\w+)\\$\\d+$", "$1");
    return type + "." + method + ":" + frame.getLineNumber();
  }

  @Override
  public <T> T read(TransactionBody<T> work) {
    return real.read(work);
  }

  @Override
  public AutoCloseable listen(String channel, Consumer<String> heard) {
    return real.listen(channel, heard);
  }

  @Override
  public Dialect dialect() {
    return real.dialect();
  }

  @Override
  public void close() {
    real.close();
    atTheEnd.accept(new TreeMap<>(steps));
  }
}
