package dev.substrat.turn.engine;

import dev.substrat.access.credential.CredentialPurge;
import dev.substrat.turn.run.OldKeys;

/// Forgets what nobody can use any more: credentials, and the keys of calls.
record Forgetting(CredentialPurge credentials, OldKeys keys) {

  static Forgetting in(Ground ground) {
    return new Forgetting(
        new CredentialPurge(ground.database(), ground.clock()),
        new OldKeys(ground.database(), ground.clock()));
  }

  /// How much was forgotten.
  int sweep() {
    return credentials.sweep() + keys.sweep();
  }
}
