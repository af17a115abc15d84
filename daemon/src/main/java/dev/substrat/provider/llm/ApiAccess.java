package dev.substrat.provider.llm;

import dev.substrat.team.toolconfig.UsedSecrets;

/// Address and key of a model API. The key is never printed.
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
