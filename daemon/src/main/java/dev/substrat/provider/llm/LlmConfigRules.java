package dev.substrat.provider.llm;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.ProviderConfig;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Validation of the provider settings of model APIs.
record LlmConfigRules(LlmVendor maker, ProviderConfig settings) {

  private static final int SMALLEST_CONTEXT = 1_000;
  private static final Set<String> SCHEMES = Set.of("http", "https");

  static void require(LlmVendor maker, ProviderConfig settings) {
    var rules = new LlmConfigRules(maker, settings);
    rules.requireOwnSettings();
    rules.requireModel();
    rules.requireAddress();
    rules.requireNumbers();
  }

  private record ProviderSetting(String name, @Nullable Object value) {}

  private void requireOwnSettings() {
    String foreign =
        Stream.of(
                new ProviderSetting("playbook", settings.playbook()),
                new ProviderSetting("playbookFile", settings.playbookFile()),
                new ProviderSetting("chaos", settings.chaos()),
                new ProviderSetting("command", settings.command()),
                new ProviderSetting("directory", settings.directory()),
                new ProviderSetting("mcp", settings.mcp()),
                new ProviderSetting("args", settings.args()),
                new ProviderSetting("env", settings.env()),
                new ProviderSetting("cli", settings.cli()))
            .filter(setting -> setting.value() != null)
            .map(setting -> "/provider/" + setting.name())
            .collect(Collectors.joining(", "));
    check(
        foreign.isEmpty(),
        foreign + " is not supported by " + maker.id(),
        "omit the key; supported are model, baseUrl, apiKey, temperature, "
            + "maxOutputTokens, contextTokens, fallbackModel and price");
  }

  private void requireModel() {
    check(
        settings.model() != null && !settings.model().isBlank(),
        "/provider/model is missing: " + maker.id() + " has no default",
        "set the name of a model, for example " + maker.example());
    check(
        settings.fallbackModel() == null || !settings.fallbackModel().isBlank(),
        "/provider/fallbackModel is empty",
        "set the name of a model, or omit the key");
  }

  private void requireAddress() {
    check(
        settings.baseUrl() == null || isAddress(settings.baseUrl()),
        "/provider/baseUrl is not a URL",
        "for example " + maker.base());
  }

  private static boolean isAddress(String text) {
    try {
      URI address = new URI(text.strip());
      return address.getHost() != null
          && address.getScheme() != null
          && SCHEMES.contains(address.getScheme())
          && address.getRawUserInfo() == null
          && address.getRawQuery() == null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private void requireNumbers() {
    check(
        settings.temperature() == null
            || (settings.temperature() >= 0 && settings.temperature() <= 2),
        "/provider/temperature must be from 0 to 2",
        "omit the key for the model's default");
    check(
        settings.maxOutputTokens() == null || settings.maxOutputTokens() >= 1,
        "/provider/maxOutputTokens must be 1 or more",
        "omit the key for the default, 8192");
    check(
        settings.contextTokens() == null || settings.contextTokens() >= SMALLEST_CONTEXT,
        "/provider/contextTokens must be " + SMALLEST_CONTEXT + " or more",
        "omit the key for the default, " + ModelParameters.DEFAULT_CONTEXT);
    check(
        settings.price() == null
            || (isPrice(settings.price().input()) && isPrice(settings.price().output())),
        "/provider/price must be US dollars per million tokens, 0 or more",
        "for example {input: 2, output: 8}");
  }

  private static boolean isPrice(@Nullable Double dollars) {
    return dollars == null || (dollars >= 0 && dollars < 1_000_000);
  }

  private static void check(boolean fine, String message, String hint) {
    if (!fine) {
      throw ErrorCode.INVALID_CONFIG.fault(message, hint);
    }
  }
}
