package dev.substrat.cli.terminal;

import java.time.Duration;

/// Progress indicator on stderr; silent if stderr is not a terminal.
///
/// Two threads share only the caption, which is volatile.
public final class Spinner implements AutoCloseable {
  private static final String FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
  private static final Duration FRAME = Duration.ofMillis(120);

  private final Terminal screen;
  private final Thread thread;
  private volatile String caption;

  public Spinner(Terminal screen, String caption) {
    this.screen = screen;
    this.caption = caption;
    this.thread = new Thread(this::spin, "spinner");
    thread.setDaemon(true);
    if (screen.errIsTerminal()) {
      thread.start();
    }
  }

  public void caption(String now) {
    caption = now;
  }

  /// Prints a permanent line, in one write, so that the other thread cannot interleave.
  public void note(String line) {
    screen.note(screen.errIsTerminal() ? "\r\u001b[K" + line : line);
  }

  private void spin() {
    long start = System.nanoTime();
    try {
      for (int i = 0; ; i++) {
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        screen
            .err()
            .print(
                "\r\u001b[K%s %s  %ds"
                    .formatted(
                        FRAMES.charAt(i % FRAMES.length()),
                        TerminalText.cut(caption, 60),
                        seconds));
        screen.err().flush();
        Thread.sleep(FRAME);
      }
    } catch (InterruptedException _) {
      screen.err().print("\r\u001b[K");
      screen.err().flush();
    }
  }

  /// Clears the line.
  @Override
  public void close() {
    if (!thread.isAlive()) {
      return;
    }
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(1));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
