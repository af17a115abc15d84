# Builds Substrat if the build is missing or older than the sources. Sourced; expects ROOT and JAVA_HOME.
# Progress goes to stderr, because stdout belongs to the command.

DIST=$ROOT/target/dist

is_current() {
  [ -e "$DIST/built" ] && [ "$(cat "$DIST/built")" = "$JAVA_HOME" ] &&
    [ -z "$(cd "$ROOT" && find pom.xml .mvn scripts ./*/pom.xml ./*/src/main examples/teams -newer "$DIST/built" -print -quit)" ]
}

build_if_needed() {
  is_current && return
  mkdir -p "$ROOT/target"
  (
    # Of two concurrent commands only the first builds.
    if command -v flock >/dev/null; then flock 9; fi
    is_current || build
  ) 9>"$ROOT/target/build.lock" || exit $?
}

build() {
  require_maven
  local log=$ROOT/target/build.log started=$SECONDS
  say "building Substrat (first use, or sources changed) ..."
  rm -rf "$DIST"
  # A change after this time makes the build stale.
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

# In a fixed order: an AOT cache is valid only for the class path it was created with.
class_path() {
  local jars=("$DIST/$1"/*.jar)
  (IFS=:; echo "${jars[*]}") >"$DIST/$1.path"
}

# Creates the AOT caches with a training run of daemon, command line and bridge. Optional: if it fails, programs
# only start slower.
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

# First messages of an MCP client.
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
  # JVM warnings must not go to stdout.
  echo "-Xlog:disable -Xlog:all=error:stderr"
  case $1 in
    # Short-lived process: optimized for startup time.
    cli) echo "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" ;;
    # Optimized for startup time. Opening a Unix socket creates a random generator by reflection, which is slow
    # unless it uses native accessors. The bridge limits messages in flight; the rest of -Xmx is for responses.
    bridge) echo "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xmx192m -XX:+ExitOnOutOfMemoryError -Djdk.reflect.useNativeAccessorOnly=true" ;;
    # protobuf, a dependency of CEL, uses sun.misc.Unsafe. An idle daemon runs a GC every two minutes, so that
    # memory is returned to the system after a burst of requests. A daemon that is out of memory exits: threads that
    # died would leave it alive but useless, and the next start recovers.
    daemon) echo "-XX:+UseG1GC -XX:G1PeriodicGCInterval=120000 -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow" ;;
  esac
  [ -e "$DIST/$1.aot" ] && echo "-XX:AOTCache=$DIST/$1.aot"
}

say() { echo "$*" >&2; }
