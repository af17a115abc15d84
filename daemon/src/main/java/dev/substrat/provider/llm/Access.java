package dev.substrat.provider.llm;

import dev.substrat.team.toolconfig.Secrets;

/// How an API is reached: where it is, and the key, which nothing may say again.
record Access(String base, String key, Secrets secrets) {
  Access(String base, String key) {
    this(base, key, new Secrets());
    secrets.add(key);
  }

  @Override
  public String toString() {
    return "Access[" + base + "]";
  }
}
