# Asks the kernel what a program in a sandbox may do, and prints what it must not be able to do. Nothing is
# ever written: `test -w` and `find -writable` ask with access(2).
# DATA is the daemon's data directory, ALLOWED a pattern of further paths that may be writable, SECRETS are files
# that must not be readable, KNOCK is a command that prints `reached` if it reaches an abstract socket.
may_not() { echo "VIOLATION $*"; }

for file in operator.token substrat.db daemon.id daemon.json; do
  if test -r "$DATA/$file"; then may_not "read $file"; fi
done
for file in /etc/shadow /proc/kcore /proc/kmsg $SECRETS; do
  if test -r "$file" && head -c 1 "$file" 2>/dev/null | grep -q .; then may_not "read $file"; fi
done
for file in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/sys/vm/overcommit_memory /sys/power/state; do
  if test -w "$file"; then may_not "write $file"; fi
done

find / -path /proc -prune -o -path /sys -prune -o -type s -print 2>/dev/null |
  while read -r socket; do may_not "see the socket $socket"; done | head -n 5
if test "$(eval "$KNOCK")" = reached; then may_not "reach an abstract socket"; fi

USUAL='/tmp(/.*)?|/dev/shm|/dev/(null|zero|full|random|urandom|tty|ptmx|pts|pts/.*|fd/.*)'
# A path masked with /dev/null counts as writable for access(2), without harm.
find / -path '/proc/[0-9]*' -prune -o ! -type l -writable -print 2>/dev/null |
  grep -vE "^($USUAL|$PWD(/.*)?|$HOME(/.*)?${ALLOWED:+|$ALLOWED})\$" |
  while read -r path; do
    if ! { test -c "$path" && test "$(stat -c %t:%T "$path")" = 1:3; }; then may_not "write $path"; fi
  done | head -n 5

if test "$(id -u)" = 0; then may_not "be root"; fi
if grep -E '^Cap...:' /proc/self/status | grep -qv '0000000000000000$'; then may_not "have capabilities"; fi
if ! grep -q '^NoNewPrivs:.1$' /proc/self/status; then may_not "gain privileges"; fi
if ! grep -q '^Seccomp:.2$' /proc/self/status; then may_not "make every system call"; fi
if unshare --user true 2>/dev/null; then may_not "make a user namespace"; fi
for limit in 'Max processes' 'Max data size' 'Max file size' 'Max cpu time'; do
  if grep -qE "^$limit +unlimited" /proc/self/limits; then may_not "exceed: $limit"; fi
done
env | cut -d= -f1 |
  grep -vE '^(PATH|HOME|LANG|TZ|TMPDIR|PWD|OLDPWD|SHLVL|_|LOGNAME|USER|(SUBSTRAT|MCP|GIT_CONFIG)_[A-Z0-9_]+|DATA|ALLOWED|GIVEN|NPM_CONFIG_CACHE|XDG_CACHE_HOME)$' |
  while read -r name; do may_not "see the variable $name"; done
echo END
