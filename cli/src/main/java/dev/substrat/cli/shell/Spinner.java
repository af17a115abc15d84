package dev.substrat.cli.shell;

import java.time.Duration;

/// A sign of life on stderr while a person waits; nothing at all when nobody is looking.
///
/// The caption is the only thing two threads share, and it is volatile.
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

  /// A line that stays. In one piece, so that the other thread cannot print into it.
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

  /// Leaves an empty line, so that what is printed next starts clean.
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
