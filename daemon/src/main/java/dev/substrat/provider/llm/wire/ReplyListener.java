package dev.substrat.provider.llm.wire;

/// Listener of a streamed response.
public interface ReplyListener {
  /// One who only wants the whole of it.
  ReplyListener NOBODY =
      new ReplyListener() {
        @Override
        public void accepted() {
          // Nobody listens.
        }

        @Override
        public void text(String delta) {
          // Nobody listens.
        }

        @Override
        public void arguments(String callId, String tool, String delta) {
          // Nobody listens.
        }
      };

  /// The model has the question and begins to answer.
  void accepted();

  void text(String delta);

  void arguments(String callId, String tool, String delta);
}
