package dev.substrat.provider.agentcli.known;

import org.jspecify.annotations.Nullable;

/// Base URL of a model API. People write `https://host/v1` or `https://host`, and CLIs need one or
/// the other.
final class ModelEndpoint {
  private static final String VERSION = "/v1";

  private ModelEndpoint() {}

  static @Nullable String withVersion(@Nullable String url) {
    return url == null ? null : host(url) + VERSION;
  }

  static @Nullable String withoutVersion(@Nullable String url) {
    return url == null ? null : host(url);
  }

  private static String host(String url) {
    String bare = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    return bare.endsWith(VERSION) ? bare.substring(0, bare.length() - VERSION.length()) : bare;
  }
}
