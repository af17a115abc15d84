package dev.substrat.provider.llm;

import dev.substrat.team.toolconfig.UsedSecrets;

/// How an API is reached: where it is, and the key, which nothing may say again.
record ApiAccess(String base, String key, UsedSecrets secrets) {
  ApiAccess(String base, String key) {
    this(base, key, new UsedSecrets());
    secrets.add(key);
  }

  @Override
  public String toString() {
    return "Access[" + base + "]";
  }
}
