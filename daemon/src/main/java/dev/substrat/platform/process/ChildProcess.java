package dev.substrat.platform.process;

import dev.substrat.platform.log.Log;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A child process that exchanges lines with the daemon. Closing it kills the process and
/// everything it started; when it ends by itself, its remaining descendants are killed, too.
///
/// Each of its three pipes has a platform thread: a virtual thread that reads a pipe blocks its
/// carrier, and there are only as many carriers as processors. The thread that starts it is a
/// platform thread, too, and waits for the end: bubblewrap asks the kernel to die with its parent,
/// which for the kernel is the starting thread, and carriers of virtual threads end when they are
/// idle.
public final class ChildProcess implements AutoCloseable {
  private static final Log LOG = Log.of(ChildProcess.class);

  /// Variables inherited from the daemon; all others are not.
  private static final Set<String> INHERITED = Set.of("PATH", "HOME", "LANG", "TZ", "TMPDIR");

  private static final int MAX_LINE_LENGTH = 1 << 20;
  private static final int MAX_ERROR_LENGTH = 2_000;
  private static final int LINES_AHEAD = 64;

  private final Process process;
  private final ProcessTree tree;
  private final StdinWriter stdin;
  private final StderrTail lastWords = new StderrTail();
  private final UnaryOperator<String> redact;
  private final int longestLine;
  private final BlockingQueue<ProcessOutput> output = new ArrayBlockingQueue<>(LINES_AHEAD);
  private final Thread listener;
  private final Thread complaints;
  private final AtomicReference<@Nullable String> stopReason = new AtomicReference<>();

  private ChildProcess(Process process, ProcessTree tree, LaunchParameters launch) {
    this.process = process;
    this.tree = tree;
    this.redact = launch.redact();
    this.longestLine = launch.longestLine();
    this.stdin = new StdinWriter(process.getOutputStream());
    this.listener = thread("stdout", this::listen);
    this.complaints = thread("stderr", this::hearComplaints);
    thread("stdin", stdin::write);
  }

  /// Parameters of a start. `environment` is added to PATH, HOME, LANG, TZ and TMPDIR of the
  /// daemon. `redact` removes secrets from the output. A line of output may have at most
  /// `longestLine` bytes. `supervision` is notified about the start.
  public record LaunchParameters(
      List<String> command,
      Path directory,
      Map<String, String> environment,
      UnaryOperator<String> redact,
      int longestLine,
      ProcessSupervision supervision) {

    /// Without supervision.
    public LaunchParameters(
        List<String> command,
        Path directory,
        Map<String, String> environment,
        UnaryOperator<String> redact,
        int longestLine) {
      this(command, directory, environment, redact, longestLine, ProcessSupervision.NONE);
    }

    /// With the default limit for the length of a line.
    public LaunchParameters(
        List<String> command,
        Path directory,
        Map<String, String> environment,
        UnaryOperator<String> redact) {
      this(command, directory, environment, redact, MAX_LINE_LENGTH);
    }
  }

  /// Something that the process wrote to stdout.
  public sealed interface ProcessOutput {
    record OutputLine(long number, String text) implements ProcessOutput {}

    /// A line over the limit; nothing after it is read.
    record OversizedLine(long number, int limit) implements ProcessOutput {}

    /// The process closed its stdout.
    record EndOfOutput() implements ProcessOutput {}
  }

  public static ChildProcess start(LaunchParameters launch) throws IOException {
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

  /// Processes that inherited its pipes would keep them open after its end, so they are killed.
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
          output.put(new ProcessOutput.OversizedLine(number, longestLine));
          return;
        }
        output.put(new ProcessOutput.OutputLine(number++, line.text()));
      }
      output.put(new ProcessOutput.EndOfOutput());
    } catch (IOException e) {
      // The pipe broke because the process ended: the reader gets the end of the output.
      LOG.debug("a pipe broke", "pid", process.pid(), "reason", e.getMessage());
      output.offer(new ProcessOutput.EndOfOutput());
    } catch (InterruptedException e) {
      // Closed: the output is not needed any more.
      Thread.currentThread().interrupt();
    }
  }

  private void hearComplaints() {
    try (InputStream in = process.getErrorStream()) {
      var lines = new BoundedLineReader(in, MAX_ERROR_LENGTH);
      for (var line = lines.next(); line != null; line = lines.next()) {
        String text = redact.apply(line.text());
        lastWords.add(text);
        LOG.debug("stderr", "pid", process.pid(), "line", text);
      }
    } catch (IOException e) {
      LOG.debug("a pipe broke", "pid", process.pid(), "reason", e.getMessage());
    }
  }

  /// The next output; waits for it.
  public ProcessOutput take() throws InterruptedException {
    return output.take();
  }

  /// The next output, if there is one within `patience`.
  public Optional<ProcessOutput> take(Duration timeout) throws InterruptedException {
    return Optional.ofNullable(output.poll(timeout.toMillis(), TimeUnit.MILLISECONDS));
  }

  /// Writes a line to stdin. False if the process has not read its input for too long.
  public boolean send(byte[] line) {
    return stdin.send(line);
  }

  /// Closes stdin after the lines that were sent.
  public void endInput() {
    stdin.end();
  }

  /// The exit code, if the process ends within `patience`.
  public OptionalInt exit(Duration timeout) throws InterruptedException {
    return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)
        ? OptionalInt.of(process.exitValue())
        : OptionalInt.empty();
  }

  /// The end of its stderr, after it has ended.
  public String lastWords() throws InterruptedException {
    complaints.join(Duration.ofSeconds(1));
    return lastWords.text();
  }

  /// The end of its stderr so far.
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

  /// Last part of a program's stderr output, which usually has the reason of a failure.
  ///
  /// Safe for two threads: one that appends, one that reads.
  private static final class StderrTail {
    private static final int MOST_LINES = 20;
    private static final int LONGEST = 1_000;

    private final Deque<String> lines = new ArrayDeque<>();

    synchronized void add(String line) {
      if (!line.isBlank()) {
        lines.add(line.stripTrailing());
        if (lines.size() > MOST_LINES) {
          lines.remove();
        }
      }
    }

    synchronized String text() {
      String all = String.join("\n", lines);
      return all.length() <= LONGEST ? all : "…" + all.substring(all.length() - LONGEST);
    }
  }

  /// Writes to a program's stdin on a separate thread, so that a program that does not read its
  /// input cannot block reading its output.
  private static final class StdinWriter {
    /// If more input than this is unread, the program is considered stuck.
    private static final long MOST_WAITING = 8L << 20;

    private static final byte[] END = {};

    private final LinkedBlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private final OutputStream out;

    StdinWriter(OutputStream out) {
      this.out = out;
    }

    /// False if too much input is unread.
    boolean send(byte[] line) {
      if (bytes.get() > 0 && bytes.get() + line.length > MOST_WAITING) {
        return false;
      }
      bytes.addAndGet(line.length);
      return waiting.add(line);
    }

    /// Closes stdin after the queued input is written.
    void end() {
      waiting.add(END);
    }

    /// Writes until the end, or until the program closes its stdin.
    void write() {
      try (out) {
        for (byte[] line = waiting.take(); line.length > 0; line = waiting.take()) {
          out.write(line);
          out.write('\n');
          out.flush();
          bytes.addAndGet(-line.length);
        }
      } catch (IOException e) {
        // The process has ended; its exit is reported separately.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
