# Which tests run, in which order, and the parts of the full verification. Sourced by ./verify; expects ROOT, `maven` and
# `fail`, pipefail, and the project as current directory.

STATE=$ROOT/target/full-verification
REPORT=docs/internals/full-verification.md

# Test classes of a module with their packages.
test_classes() { find "$1/src/test/java" -name '*Test.java' | sed 's|.*/src/test/java/||; s|\.java$||; s|/|.|g'; }

# Surefire starts classes in the order of their last duration, those it does not know first. A fresh clone knows none.
order_tests() {
  local module
  for module in daemon cli clients examples; do
    [ ! -d "$module/src/test/java" ] ||
      awk 'NR == FNR { if (!/^#/) seconds[$2] = $1; next } { print "0," (seconds[$1] ? seconds[$1] * 1000 : 1) "," $1 "," }' \
        scripts/slow-tests <(test_classes "$module") >"$module/.surefire-times"
  done
}

# After a run: sums and the slowest classes. A slow class that is not listed starts too late to keep all processors busy.
report_times() {
  find . -path '*/target/surefire-reports/TEST-*.xml' -exec grep -hm1 '^<testsuite ' {} + |
    sed -E 's/.* name="([^"]*)" time="([^"]*)".*/\2 \1/; s/,//' | sort -rn | awk '
      NR == FNR { if (!/^#/) listed[$2] = 1; next }
      { sum += $1; classes++ }
      FNR <= 10 { slowest = slowest sprintf("  %6.1f s  %s\n", $1, $2) }
      $1 >= 10 && !($2 in listed) { missing = missing sprintf("  %d %s\n", $1, $2) }
      END {
        printf "== %d test classes, %d s in all; the slowest:\n%s", classes, sum, slowest
        if (missing != "") printf "slow classes that are not in scripts/slow-tests; add these lines:\n%s", missing
      }' scripts/slow-tests -
}

# changed_tests REVISION: test classes of the packages with changed files, without slow ones, separated by commas.
changed_tests() {
  local since=$1 file directory
  if [ -z "$since" ]; then
    since=$(git merge-base HEAD '@{upstream}' 2>/dev/null || git rev-parse HEAD)
    [ -n "$(git status --porcelain)" ] || [ "$since" != "$(git rev-parse HEAD)" ] || since=HEAD~1
  fi
  { git diff --name-only "$since"; git ls-files --others --exclude-standard; } | while read -r file; do
    case $file in
      */src/main/java/*.java | */src/test/java/*.java)
        directory=${file%/*}
        find "${directory/src\/main/src/test}" -maxdepth 1 -name '*Test.java' 2>/dev/null || true ;;
      console/src/main/jte/*) find daemon/src/test/java/dev/substrat/server/console -name '*PagesTest.java' ;;
    esac
    # Rules for all sources and pages.
    echo daemon/src/test/java/dev/substrat/house/HouseRulesTest.java
  done | sed 's|.*/src/test/java/||; s|\.java$||; s|/|.|g' | sort -u |
    awk 'NR == FNR { slow[$2] = 1; next } !($1 in slow)' scripts/slow-tests - | paste -sd,
}

# --- full verification ---

# Name, size, command: a program, or a function whose last command decides. It fails if it finds something. Add a line
# for another part.
parts() {
  cat <<'TABLE'
suite|all tests, short versions of the long ones|./verify
long-tests|all classes with a full size, and classes that normally run on one database|long_tests
kill-sqlite|1,000 kills on SQLite|daemon_test KillMatrixTest -Dsubstrat.databases=sqlite
kill-postgres|1,000 kills on PostgreSQL|daemon_test KillMatrixTest -Dsubstrat.databases=postgres
simulation|10,000 simulated histories|daemon_test SimulationTest
random-teams|200 random teams on each database|daemon_test RandomTeamsTest
soak|daemon under load for hours|daemon_test SoakTest
mutation|changed instructions in the core, and the tests that notice|scripts/mutation-tests
TABLE
}

# daemon_test CLASSES [Maven arguments]: at full size.
daemon_test() {
  local tests=$1
  shift
  find daemon/src/test/java -name "$tests.java" | grep -q . || fail "test class $tests not found"
  maven -pl daemon -am -Dtest="$tests" -Dsurefire.failIfNoSpecifiedTests=false -Dsubstrat.full=true \
    -Dspotless.check.skip=true "$@"
}

# Everything with a full size that is no part of its own.
long_tests() {
  local tests
  tests=$(grep -rlE 'substrat\.full|^@OnOneDatabase' --include='*Test.java' ./*/src/test/java |
    sed 's|.*/||; s|\.java$||' | grep -vxE 'KillMatrixTest|RandomTeamsTest|SoakTest|SkippedTestsTest' | sort | paste -sd,)
  maven -Dtest="$tests" -Dsurefire.failIfNoSpecifiedTests=false -Dsubstrat.full=true -Dspotless.check.skip=true
}

commit() { git rev-parse HEAD; }

# state_of PART: passed, failed, or missing; for this commit.
state_of() {
  local result=missing
  [ ! -e "$STATE/$1" ] || [ "$(field "$1" commit)" != "$(commit)" ] || result=$(field "$1" result)
  echo "$result"
}

field() { sed -n "s/^$2=//p" "$STATE/$1"; }

list_parts() {
  local name size command
  while IFS='|' read -r name size command; do
    printf '%-14s %-8s %s\n' "$name" "$(state_of "$name")" "$size"
  done < <(parts)
}

# run_parts [NAME ...]: those, or all that have not passed on this commit. All run, even if one fails.
run_parts() {
  local name size command failed=0
  for name in "$@"; do
    parts | grep -q "^$name|" || fail "part \"$name\" not found" "list parts with: ./verify --full --list"
  done
  [ -z "$(git status --porcelain -- . ":!$REPORT")" ] ||
    fail "the working tree has changes, so the result would belong to no commit" "commit or stash them first"
  mkdir -p "$STATE"
  while IFS='|' read -r -u 3 name size command; do
    if [ $# -gt 0 ]; then
      [[ " $* " == *" $name "* ]] || continue
    elif [ "$(state_of "$name")" = passed ]; then
      echo "== $name: passed already on this commit"
      continue
    fi
    run_part "$name" "$size" "$command" || failed=1
  done 3< <(parts)
  if parts | while IFS='|' read -r name _; do [ "$(state_of "$name")" = passed ] || exit 1; done; then
    write_report
  else
    echo "== not complete: see ./verify --full --list"
  fi
  return $failed
}

run_part() {
  local name=$1 started=$SECONDS result=passed commit
  commit=$(commit)
  echo "== $name: $2"
  ($3) 2>&1 </dev/null | tee "$STATE/$name.log" || result=failed
  cat >"$STATE/$name" <<TEXT
commit=$commit
result=$result
seconds=$((SECONDS - started))
finished=$(date -u +%Y-%m-%dT%H:%MZ)
size=$2
tests=$(grep -aE 'Tests run: [0-9]+, Failures: [0-9]+, Errors: [0-9]+, Skipped: [0-9]+$' "$STATE/$name.log" |
    sed -E 's/.*Tests run: ([0-9]+).*/\1/' | awk '{ sum += $1 } END { print sum + 0 }')
TEXT
  echo "== $name: $result after $((SECONDS - started)) s"
  [ $result = passed ]
}

write_report() {
  local name processor
  processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -1 || true)
  {
    echo "# Full verification"
    echo
    echo "Written by \`./verify --full\` after all parts had passed on one commit."
    echo
    echo "* Commit: \`$(commit)\` ($(git log -1 --format=%cs))"
    echo "* Machine: $(getconf _NPROCESSORS_ONLN) processors${processor:+ ($processor)}, $(uname -sr)"
    echo
    echo "| part | size | tests | duration | finished (UTC) | result |"
    echo "|---|---|---|---|---|---|"
    while IFS='|' read -r name _; do
      echo "| $name | $(field "$name" size) | $(field "$name" tests) | $(duration "$(field "$name" seconds)")" \
        "| $(field "$name" finished) | $(field "$name" result) |"
    done < <(parts)
  } >"$REPORT"
  echo "== wrote $REPORT"
}

duration() { printf '%d:%02d:%02d' $(($1 / 3600)) $(($1 / 60 % 60)) $(($1 % 60)); }
