package dev.substrat.platform.sandbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Environment variables of a sandboxed program, in two groups: `variables` are passed to the
/// processes that build the sandbox, which run outside of it and pass them on; `inside` are set for
/// the program only.
///
/// Variables that tell a loader or a shell what to run would take effect outside, with the rights
/// of the daemon. Variables with invalid names, such as functions exported by bash, are omitted.
record SandboxEnvironment(Map<String, String> variables, Map<String, String> inside) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final Pattern TAKES_EFFECT =
      Pattern.compile(
          "LD_.*|GLIBC_.*|GCONV_PATH|LOCPATH|NLSPATH|MALLOC_.*|BASH.*|ENV|SHELLOPTS|PS4|IFS|CDPATH");

  static SandboxEnvironment of(Map<String, String> environment) {
    var variables = new HashMap<String, String>();
    var inside = new TreeMap<String, String>();
    environment.forEach((name, value) -> {
      if (TAKES_EFFECT.matcher(name).matches()) {
        inside.put(name, value);
      } else if (NAME.matcher(name).matches()) {
        variables.put(name, value);
      }
    });
    inside.keySet().removeIf(name -> !NAME.matcher(name).matches());
    return new SandboxEnvironment(variables, inside);
  }

  /// The command, with its own variables set by env(1) after all privileges are dropped.
  List<String> before(List<String> command) {
    if (inside.isEmpty()) {
      return command;
    }
    var words = new ArrayList<String>();
    words.add("/usr/bin/env");
    inside.forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(command);
    return words;
  }
}
