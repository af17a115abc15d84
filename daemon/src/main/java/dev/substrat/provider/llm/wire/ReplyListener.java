package dev.substrat.provider.llm.wire;

/// Listener of a streamed response.
public interface ReplyListener {
  /// One who only wants the whole of it.
  ReplyListener NONE =
      new ReplyListener() {
        @Override
        public void accepted() {
          // Ignored.
        }

        @Override
        public void text(String delta) {
          // Ignored.
        }

        @Override
        public void arguments(String callId, String tool, String delta) {
          // Ignored.
        }
      };

  /// The model has the question and begins to answer.
  void accepted();

  void text(String delta);

  void arguments(String callId, String tool, String delta);
}
