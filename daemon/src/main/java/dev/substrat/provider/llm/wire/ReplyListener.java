package dev.substrat.provider.llm.wire;

/// Listener of a streamed response.
public interface ReplyListener {
  /// Ignores all events.
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

  /// The model has accepted the request and starts its response.
  void accepted();

  void text(String delta);

  void arguments(String callId, String tool, String delta);
}
