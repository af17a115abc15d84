package dev.substrat.turn.engine;

import dev.substrat.access.credential.CredentialPurge;
import dev.substrat.tool.execution.CallKeyPurge;

/// Deletes expired credentials and idempotency keys of calls.
record ExpiryPurge(CredentialPurge credentials, CallKeyPurge keys) {

  static ExpiryPurge in(EngineDependencies ground) {
    return new ExpiryPurge(
        new CredentialPurge(ground.database(), ground.clock()),
        new CallKeyPurge(ground.database(), ground.clock()));
  }

  /// Number of deleted entries.
  int sweep() {
    return credentials.sweep() + keys.sweep();
  }
}
