# Builds what ./substrat runs, if it is missing or older than its sources. Sourced; expects ROOT and a
# JDK. Progress goes to stderr, because stdout belongs to the command.

DIST=$ROOT/target/dist

is_current() {
  [ -e "$DIST/built" ] && [ "$(cat "$DIST/built")" = "$JAVA_HOME" ] &&
    [ -z "$(cd "$ROOT" && find pom.xml .mvn scripts ./*/pom.xml ./*/src/main examples/teams -newer "$DIST/built" -print -quit)" ]
}

build_if_needed() {
  is_current && return
  mkdir -p "$ROOT/target"
  (
    # Two commands started at once build once; the second finds it done.
    if command -v flock >/dev/null; then flock 9; fi
    is_current || build
  ) 9>"$ROOT/target/build.lock" || exit $?
}

build() {
  require_maven
  local log=$ROOT/target/build.log started=$SECONDS
  say "building Substrat (first use, or sources changed) ..."
  rm -rf "$DIST"
  # Any change after this moment makes the build stale.
  touch "$ROOT/target/build.start"
  (cd "$ROOT" && mvn -B package -Dsubstrat.quick -Dmdep.skip=false -Dmaven.test.skip=true -Dspotless.check.skip=true) 2>&1 |
    tee "$log" | awk '
      /^\[INFO\] Building .*\[[0-9]+\/[0-9]+\]/ {
        match($0, /\[[0-9]+\/[0-9]+\]/); step = substr($0, RSTART, RLENGTH)
        sub(/^\[INFO\] Building /, ""); sub(/ [0-9].*/, ""); printf "  %s %s\n", step, $0; fflush()
      }' >&2
  if [ "${PIPESTATUS[0]}" != 0 ]; then
    grep -E '^\[(WARNING|ERROR)\] (/|[A-Z])' "$log" | grep -v Overwriting | head -15 >&2
    say "error BUILD_FAILED: the build failed."
    say "hint: see the complete output in $log"
    return 1
  fi
  class_path daemon
  class_path cli
  class_path bridge
  say "  creating AOT caches for a fast start ..."
  warm_up
  java_flags bridge | tr '\n' ' ' >"$DIST/bridge.flags"
  echo "$JAVA_HOME" >"$DIST/built"
  touch -r "$ROOT/target/build.start" "$DIST/built"
  say "built in $((SECONDS - started)) s"
}

# One fixed order: the caches below are valid only for the very class path they were made with.
class_path() {
  local jars=("$DIST/$1"/*.jar)
  (IFS=:; echo "${jars[*]}") >"$DIST/$1.path"
}

# Runs daemon, command line and bridge once and keeps what the JVM learned about starting them. Only speed
# depends on it: when it fails, everything still works.
warm_up() {
  local data log=$ROOT/target/warm-up.log
  data=$(mktemp -d)
  : >"$log"
  run_java daemon -XX:AOTCacheOutput="$DIST/daemon.aot" dev.substrat.server.DaemonMain \
    --data "$data" --port 0 >"$data/out" 2>>"$log" &
  local daemon=$!
  for _ in $(seq 200); do
    grep -q ready "$data/out" && break
    sleep 0.1
  done
  run_java cli dev.substrat.cli.CliMain agent create rehearsal --data "$data" >>"$log" 2>&1 || true
  run_java cli -XX:AOTCacheOutput="$DIST/cli.aot" dev.substrat.cli.AotTraining "$data" >>"$log" 2>&1 || true
  run_java cli dev.substrat.cli.CliMain agent create visitor --provider external --data "$data" >>"$log" 2>&1 || true
  bridge_lines | run_java bridge -XX:AOTCacheOutput="$DIST/bridge.aot" dev.substrat.bridge.BridgeMain \
    --agent visitor --data "$data" >>"$log" 2>&1 || true
  run_java cli dev.substrat.cli.CliMain stop --data "$data" >>"$log" 2>&1 || kill "$daemon" || true
  wait "$daemon" 2>>"$log" || true
  rm -rf "$data"
}

# What every MCP client begins with.
bridge_lines() {
  cat <<'TEXT'
{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"rehearsal","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/list"}
TEXT
}

# run_java daemon|cli|bridge [flags] CLASS [arguments]
run_java() {
  local part=$1
  shift
  # shellcheck disable=SC2046 # the flags need word splitting
  "$JAVA_HOME/bin/java" $(java_flags "$part") -cp "$(cat "$DIST/$part.path")" "$@"
}

java_flags() {
  # The JVM's own warnings must not mix with what we print on stdout.
  echo "-Xlog:disable -Xlog:all=error:stderr"
  case $1 in
    # Short-lived: quick to start matters, peak speed does not.
    cli) echo "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" ;;
    # Starts at once or is no good. Opening a Unix socket makes the JDK construct a random generator by
    # reflection, which is slow unless it is native. Memory is bounded by what the bridge lets in; the
    # rest of the limit is for answers.
    bridge) echo "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xmx192m -XX:+ExitOnOutOfMemoryError -Djdk.reflect.useNativeAccessorOnly=true" ;;
    # protobuf, which CEL brings, reads memory the old way and the JVM would warn about it. An idle daemon
    # collects every two minutes, so that memory which a burst of requests took goes back to the system.
    daemon) echo "-XX:+UseG1GC -XX:G1PeriodicGCInterval=120000 --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow" ;;
  esac
  [ -e "$DIST/$1.aot" ] && echo "-XX:AOTCache=$DIST/$1.aot"
}

say() { echo "$*" >&2; }
