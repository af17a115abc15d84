package dev.substrat.testkit.llm;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Scripted model on a local port. It implements Anthropic's Messages, OpenAI's Chat Completions
/// and Responses, and Gemini's generateContent, with and without streaming, so that agents and
/// agent CLIs can be tested offline and deterministically.
///
/// Safe for many threads; each request has its own.
public final class ScriptedLlm implements AutoCloseable {
  /// Enough for any test, and little enough for a model that runs for days.
  private static final int MAX_ENTRIES = 2_000;

  static {
    // Otherwise each answer waits for the client's delayed acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Deque<ScriptedAnswer> next = new ArrayDeque<>();
  private final Deque<ModelPrompt> asked = new ArrayDeque<>();
  private volatile ModelScript script;

  private ScriptedLlm(ModelScript script, int port) throws IOException {
    this.script = script;
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext("/", new DialectRouter(this::answer, closed));
    server.start();
  }

  /// A model that follows [DefaultModelScript].
  public static ScriptedLlm start() {
    return start(new DefaultModelScript());
  }

  public static ScriptedLlm start(ModelScript script) {
    return start(script, 0);
  }

  public static ScriptedLlm start(ModelScript script, int port) {
    try {
      return new ScriptedLlm(script, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Where it is, without a path: Anthropic's and Gemini's clients add their own.
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// The address that OpenAI's clients want.
  public String openAiUrl() {
    return url() + "/v1";
  }

  public void follow(ModelScript other) {
    script = other;
  }

  /// Answers for the next requests, one each, before the script is used again.
  public synchronized void next(ScriptedAnswer... answers) {
    next.addAll(List.of(answers));
  }

  private ScriptedAnswer answer(ModelPrompt question) {
    synchronized (this) {
      if (asked.size() == MAX_ENTRIES) {
        asked.removeFirst();
      }
      asked.addLast(question);
      notifyAll();
      if (!next.isEmpty()) {
        return next.removeFirst();
      }
    }
    return script.answer(question);
  }

  /// Received requests, oldest first; at most the newest two thousand.
  public synchronized List<ModelPrompt> requests() {
    return new ArrayList<>(asked);
  }

  /// Waits until it has been asked so often.
  public synchronized List<ModelPrompt> awaitRequests(int number) throws InterruptedException {
    while (asked.size() < number) {
      wait();
    }
    return requests();
  }

  public synchronized void forgetRequests() {
    asked.clear();
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  /// Starts a model for manual tests: `--port N`.
  public static void main(String[] words) throws InterruptedException {
    int port = words.length == 2 && words[0].equals("--port") ? Integer.parseInt(words[1]) : 0;
    try (var llm = start(new DefaultModelScript(), port)) {
      System.out.println("a scripted model answers at " + llm.url());
      new CountDownLatch(1).await();
    }
  }
}
