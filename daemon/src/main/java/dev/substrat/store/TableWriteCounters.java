package dev.substrat.store;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Counts the writes of this process to each table. Tables are changed only by statements that name
/// them: there are no triggers and no cascades.
///
/// Safe for many threads.
final class TableWriteCounters {
  private static final Pattern WRITES =
      Pattern.compile(
          "\\b(?:insert\\s+into|update|delete\\s+from)\\s+(\\w+)", Pattern.CASE_INSENSITIVE);

  /// A few statements are put together from parts.
  private static final int MAX_ENTRIES = 1_000;

  private final Map<String, Set<String>> tables = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

  /// Writes by statements without a recognised table; they may have changed any table.
  private final AtomicLong unknown = new AtomicLong();

  /// Counts committed statements.
  void committed(Collection<String> statements) {
    var changed = new HashSet<String>();
    for (String sql : statements) {
      Set<String> found = tablesOf(sql);
      if (found.isEmpty()) {
        unknown.incrementAndGet();
      }
      changed.addAll(found);
    }
    changed.forEach(
        table -> counts.computeIfAbsent(table, _ -> new AtomicLong()).incrementAndGet());
  }

  /// The same number again means that none of these tables has changed in between.
  long of(Set<String> wanted) {
    long sum = unknown.get();
    for (String table : wanted) {
      AtomicLong count = counts.get(table);
      sum += count == null ? 0 : count.get();
    }
    return sum;
  }

  private Set<String> tablesOf(String sql) {
    if (tables.size() >= MAX_ENTRIES) {
      tables.clear();
    }
    return tables.computeIfAbsent(sql, TableWriteCounters::find);
  }

  static Set<String> find(String sql) {
    return WRITES.matcher(sql).results().map(one -> one.group(1)).collect(Collectors.toSet());
  }
}
