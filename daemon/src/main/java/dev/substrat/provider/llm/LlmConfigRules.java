package dev.substrat.provider.llm;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.team.ProviderConfig;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Validation of the provider settings of model APIs.
final class LlmConfigRules {
  private static final int SMALLEST_CONTEXT = 1_000;
  private static final Set<String> SCHEMES = Set.of("http", "https");

  private final LlmVendor maker;
  private final ProviderConfig mind;

  private LlmConfigRules(LlmVendor maker, ProviderConfig mind) {
    this.maker = maker;
    this.mind = mind;
  }

  static void require(LlmVendor maker, ProviderConfig mind) {
    var rules = new LlmConfigRules(maker, mind);
    rules.requireOwnSettings();
    rules.requireModel();
    rules.requireAddress();
    rules.requireNumbers();
  }

  private record Setting(String name, @Nullable Object value) {}

  private void requireOwnSettings() {
    String foreign =
        Stream.of(
                new Setting("playbook", mind.playbook()),
                new Setting("playbookFile", mind.playbookFile()),
                new Setting("chaos", mind.chaos()),
                new Setting("command", mind.command()),
                new Setting("directory", mind.directory()),
                new Setting("mcp", mind.mcp()),
                new Setting("args", mind.args()),
                new Setting("env", mind.env()),
                new Setting("cli", mind.cli()))
            .filter(setting -> setting.value() != null)
            .map(setting -> "/provider/" + setting.name())
            .collect(Collectors.joining(", "));
    check(
        foreign.isEmpty(),
        foreign + " is not supported by " + maker.id(),
        "omit it; supported are model, baseUrl, apiKey, temperature, "
            + "maxOutputTokens, contextTokens, fallbackModel and price");
  }

  private void requireModel() {
    check(
        mind.model() != null && !mind.model().isBlank(),
        "/provider/model is missing: " + maker.id() + " has no default",
        "name a model, for example " + maker.example());
    check(
        mind.fallbackModel() == null || !mind.fallbackModel().isBlank(),
        "/provider/fallbackModel is empty",
        "name a model, or omit it");
  }

  private void requireAddress() {
    check(
        mind.baseUrl() == null || isAddress(mind.baseUrl()),
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
        mind.temperature() == null || (mind.temperature() >= 0 && mind.temperature() <= 2),
        "/provider/temperature must be from 0 to 2",
        "omit it for the model's default");
    check(
        mind.maxOutputTokens() == null || mind.maxOutputTokens() >= 1,
        "/provider/maxOutputTokens must be 1 or more",
        "omit it for the default, 8192");
    check(
        mind.contextTokens() == null || mind.contextTokens() >= SMALLEST_CONTEXT,
        "/provider/contextTokens must be " + SMALLEST_CONTEXT + " or more",
        "omit it for the default, " + ModelParameters.DEFAULT_CONTEXT);
    check(
        mind.price() == null || (isPrice(mind.price().input()) && isPrice(mind.price().output())),
        "/provider/price must be US dollars per million tokens, 0 or more",
        "for example {input: 2, output: 8}");
  }

  private static boolean isPrice(@Nullable Double dollars) {
    return dollars == null || (dollars >= 0 && dollars < 1_000_000);
  }

  private static void check(boolean fine, String message, String hint) {
    if (!fine) {
      throw new Fault(ErrorCode.INVALID_CONFIG, message, hint);
    }
  }
}
