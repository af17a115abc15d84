# Finds a JDK 25 and sets JAVA_HOME: checks JAVA_HOME, the PATH, then common locations. Sourced by other scripts.

is_jdk_25() {
  [ -n "$1" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] &&
    grep -q '^JAVA_VERSION="25[."]' "$1/release"
}

find_jdk() {
  local on_path candidate
  on_path=$(command -v javac || true)
  if [ -n "$on_path" ]; then
    on_path=$(readlink -f "$on_path" 2>/dev/null || echo "$on_path")
    on_path=${on_path%/bin/javac}
  fi
  for candidate in "${JAVA_HOME:-}" "$on_path" \
    /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* /opt/*jdk* \
    "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/homebrew/opt/openjdk*; do
    if is_jdk_25 "$candidate"; then
      export JAVA_HOME=$candidate
      return
    fi
  done
  cat >&2 <<'TEXT'
error JDK_NOT_FOUND: Substrat needs a JDK 25, and none was found.
hint: install one (Debian: the package temurin-25-jdk or openjdk-25-jdk; macOS: brew install openjdk@25;
      any system: sdk install java 25-tem), or set JAVA_HOME to its directory.
TEXT
  exit 4
}

require_maven() {
  command -v mvn >/dev/null && return
  cat >&2 <<'TEXT'
error MAVEN_NOT_FOUND: building Substrat needs Apache Maven 3.8.7 or newer, and none was found.
hint: install it (Debian: apt-get install maven; macOS: brew install maven).
TEXT
  exit 4
}

# Suppresses JDK 25 warnings about Maven's libraries.
export MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
