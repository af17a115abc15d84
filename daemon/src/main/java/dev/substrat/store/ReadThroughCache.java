package dev.substrat.store;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Cache of rows that every request needs and that rarely change. Entries are valid until the next
/// write to their tables. If other processes can write to the database, nothing is cached.
///
/// Safe for many threads. A read after an acknowledged commit sees that commit.
public final class ReadThroughCache<K, V> {
  private final Database database;
  private final Set<String> tables;
  private final int most;
  private final ValueLookup<K, V> lookup;
  private final Map<K, CachedValue<V>> seen = new ConcurrentHashMap<>();

  /// `lookup` reads only from these tables, a few rows by their keys. At most `most` entries are
  /// cached.
  public ReadThroughCache(
      Database database, Set<String> tables, int most, ValueLookup<K, V> lookup) {
    this.database = database;
    this.tables = Set.copyOf(tables);
    this.most = most;
    this.lookup = lookup;
  }

  /// Finds a value in the database.
  @FunctionalInterface
  public interface ValueLookup<K, V> {
    V at(Tx tx, K key);
  }

  /// A value, and the change counter of its tables before it was read.
  private record CachedValue<V>(long changes, V value) {}

  public V get(K key) {
    OptionalLong changes = database.changeCounter(tables);
    if (changes.isEmpty()) {
      return database.readByKey(tx -> lookup.at(tx, key));
    }
    CachedValue<V> known = seen.get(key);
    if (known != null && known.changes() == changes.getAsLong()) {
      return known.value();
    }
    V value = database.readByKey(tx -> lookup.at(tx, key));
    if (seen.size() >= most) {
      // Entries in use are soon cached again; tracking use would cost more.
      seen.clear();
    }
    seen.put(key, new CachedValue<>(changes.getAsLong(), value));
    return value;
  }
}
