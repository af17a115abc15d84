package dev.substrat.provider.llm;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.team.ProviderConfig;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the key of a model API in the daemon's environment when it is needed.
///
/// The vendor's usual variable is used for the vendor's own address only: another address gets the
/// key configured for it, or none.
record ApiKeys(LlmVendor maker, AllowedEnvironment environment) {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{env\\.([A-Za-z_][A-Za-z0-9_]*)}");

  /// Rejects a value that is not a reference to an allowed variable.
  void require(String apiKey) {
    environment.requireAllowed(variable(apiKey), "/provider/apiKey");
  }

  private static String variable(String apiKey) {
    Matcher variable = VARIABLE.matcher(apiKey.strip());
    if (!variable.matches()) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "/provider/apiKey must be a reference to an environment variable",
          "do not write keys into the configuration: set the key in the daemon's "
              + "environment, for example as MY_KEY, start the daemon with --allow-env "
              + "MY_KEY and write ${env.MY_KEY}");
    }
    return variable.group(1);
  }

  ApiAccess access(ProviderConfig settings) {
    String base = settings.baseUrl() == null ? maker.base() : maker.cleaned(settings.baseUrl());
    if (settings.apiKey() != null) {
      return new ApiAccess(base, environment.require(variable(settings.apiKey())));
    }
    if (settings.baseUrl() != null || !maker.needsKey()) {
      return new ApiAccess(base, "");
    }
    return new ApiAccess(base, usual().orElseThrow(this::missing));
  }

  /// The key in the vendor's usual environment variable.
  Optional<String> usual() {
    return maker.keyVariables().stream()
        .flatMap(name -> environment.find(name).stream())
        .findFirst();
  }

  private Fault missing() {
    return ErrorCode.INVALID_CONFIG.fault("no API key is configured for " + maker.id(), hint());
  }

  String hint() {
    return "set %s in the daemon's environment and restart it"
        .formatted(String.join(" or ", maker.keyVariables()));
  }
}
