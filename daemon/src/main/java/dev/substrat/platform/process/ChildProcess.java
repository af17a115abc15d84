package dev.substrat.platform.process;

import dev.substrat.platform.log.Log;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A program that talks to us in lines. Closing it kills it and everything it has started; when it
/// ends by itself, what it leaves behind is killed too.
///
/// Its three pipes have a platform thread each: reading a pipe keeps a carrier of virtual threads,
/// and there are only as many of those as processors. It is started by a platform thread that waits
/// for its end: bubblewrap asks the kernel to be killed with its parent, which for the kernel is
/// the thread that started it, and carriers of virtual threads end when they are idle.
public final class ChildProcess implements AutoCloseable {
  private static final Log LOG = Log.of(ChildProcess.class);

  /// What a program needs to find others and itself; everything else stays with the daemon.
  private static final Set<String> INHERITED = Set.of("PATH", "HOME", "LANG", "TZ", "TMPDIR");

  private static final int LONGEST_LINE = 1 << 20;
  private static final int LONGEST_COMPLAINT = 2_000;
  private static final int LINES_AHEAD = 64;

  private final Process process;
  private final ProcessTree tree;
  private final StdinWriter stdin;
  private final StderrTail lastWords = new StderrTail();
  private final UnaryOperator<String> redact;
  private final int longestLine;
  private final BlockingQueue<Output> output = new ArrayBlockingQueue<>(LINES_AHEAD);
  private final Thread listener;
  private final Thread complaints;
  private final AtomicReference<@Nullable String> stopReason = new AtomicReference<>();

  private ChildProcess(Process process, ProcessTree tree, Launch launch) {
    this.process = process;
    this.tree = tree;
    this.redact = launch.redact();
    this.longestLine = launch.longestLine();
    this.stdin = new StdinWriter(process.getOutputStream());
    this.listener = thread("stdout", this::listen);
    this.complaints = thread("stderr", this::hearComplaints);
    thread("stdin", stdin::write);
  }

  /// What to start: `environment` is all it gets beside where to find programs, its home, its
  /// language and where to put what is thrown away. `redact` takes out of its words what nobody may
  /// read. No line of its output may have more than `longestLine` bytes. `supervision` is told
  /// about its start.
  public record Launch(
      List<String> command,
      Path directory,
      Map<String, String> environment,
      UnaryOperator<String> redact,
      int longestLine,
      ProcessSupervision supervision) {

    /// One that nobody supervises.
    public Launch(
        List<String> command,
        Path directory,
        Map<String, String> environment,
        UnaryOperator<String> redact,
        int longestLine) {
      this(command, directory, environment, redact, longestLine, ProcessSupervision.NONE);
    }

    /// One whose lines are as long as most programs' are at most.
    public Launch(
        List<String> command,
        Path directory,
        Map<String, String> environment,
        UnaryOperator<String> redact) {
      this(command, directory, environment, redact, LONGEST_LINE);
    }
  }

  /// Something it said.
  public sealed interface Output {
    record Line(long number, String text) implements Output {}

    /// A line that is longer than any may be; nothing after it is read.
    record TooLong(long number, int limit) implements Output {}

    /// It has closed its output.
    record End() implements Output {}
  }

  public static ChildProcess start(Launch launch) throws IOException {
    var tree = new ProcessTree();
    var builder = new ProcessBuilder(launch.command());
    builder.directory(new File(launch.directory().toString()));
    var environment = builder.environment();
    environment.keySet().retainAll(INHERITED);
    environment.putAll(launch.environment());
    environment.put(ProcessTree.MARK, tree.mark());
    var starting = new CompletableFuture<Process>();
    Thread.ofPlatform()
        .daemon()
        .name("process " + launch.command().getFirst())
        .start(() -> startAndAwaitEnd(builder, launch.supervision(), tree, starting));
    var child = new ChildProcess(started(starting), tree, launch);
    launch.supervision().started(child);
    return child;
  }

  private static Process started(CompletableFuture<Process> starting) throws IOException {
    try {
      return starting.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException reason) {
        throw reason;
      }
      throw e;
    }
  }

  /// Processes that inherited its pipes would keep them open after its end, so they are killed
  /// then.
  private static void startAndAwaitEnd(
      ProcessBuilder builder,
      ProcessSupervision supervision,
      ProcessTree tree,
      CompletableFuture<Process> starting) {
    try {
      supervision.prepare();
      Process process = builder.start();
      tree.speakingThrough(process.toHandle());
      starting.complete(process);
      process.waitFor();
      tree.kill(process.toHandle());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      starting.completeExceptionally(e);
    }
  }

  private Thread thread(String pipe, Runnable work) {
    return Thread.ofPlatform().daemon().name(pipe + " of " + process.pid()).start(work);
  }

  private void listen() {
    try (InputStream in = process.getInputStream()) {
      var lines = new BoundedLineReader(in, longestLine);
      long number = 1;
      for (var line = lines.next(); line != null; line = lines.next()) {
        if (!line.isWhole()) {
          output.put(new Output.TooLong(number, longestLine));
          return;
        }
        output.put(new Output.Line(number++, line.text()));
      }
      output.put(new Output.End());
    } catch (IOException e) {
      // The pipe broke with the process: whoever waits is told that there is no more.
      LOG.debug("a pipe broke", "pid", process.pid(), "reason", e.getMessage());
      output.offer(new Output.End());
    } catch (InterruptedException e) {
      // Closed: nobody listens any more.
      Thread.currentThread().interrupt();
    }
  }

  private void hearComplaints() {
    try (InputStream in = process.getErrorStream()) {
      var lines = new BoundedLineReader(in, LONGEST_COMPLAINT);
      for (var line = lines.next(); line != null; line = lines.next()) {
        String text = redact.apply(line.text());
        lastWords.add(text);
        LOG.debug("stderr", "pid", process.pid(), "line", text);
      }
    } catch (IOException e) {
      LOG.debug("a pipe broke", "pid", process.pid(), "reason", e.getMessage());
    }
  }

  /// The next thing it says; waits for it.
  public Output take() throws InterruptedException {
    return output.take();
  }

  /// The next thing it says, if it says something within `patience`.
  public Optional<Output> take(Duration patience) throws InterruptedException {
    return Optional.ofNullable(output.poll(patience.toMillis(), TimeUnit.MILLISECONDS));
  }

  /// Says a line to it. False if it has not read what it was told for too long.
  public boolean send(byte[] line) {
    return stdin.send(line);
  }

  /// Tells it that nothing more will be said.
  public void endInput() {
    stdin.end();
  }

  /// Its exit code, if it ends within `patience`.
  public OptionalInt exit(Duration patience) throws InterruptedException {
    return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)
        ? OptionalInt.of(process.exitValue())
        : OptionalInt.empty();
  }

  /// The end of what it wrote to stderr, after it has ended.
  public String lastWords() throws InterruptedException {
    complaints.join(Duration.ofSeconds(1));
    return lastWords.text();
  }

  /// The end of what it has written to stderr so far.
  public String errorsSoFar() {
    return lastWords.text();
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /// Kills it and everything it has started, for a reason that [#stopReason] returns from then on.
  public void stop(String reason) {
    stopReason.compareAndSet(null, reason);
    tree.kill(process.toHandle());
  }

  /// Why it was stopped, if it was.
  public Optional<String> stopReason() {
    return Optional.ofNullable(stopReason.get());
  }

  @Override
  public void close() {
    tree.kill(process.toHandle());
    stdin.end();
    listener.interrupt();
  }
}
