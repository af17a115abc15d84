package dev.substrat.store;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What is looked up with every request and hardly ever changes: it is kept in memory for as long
/// as nobody has written to the tables it comes from. Where others may write to them unnoticed
/// nothing is kept, and every time is like the first.
///
/// Safe for many threads. Whoever was told that something is committed finds it here.
public final class ReadThroughCache<K, V> {
  private final Database database;
  private final Set<String> tables;
  private final int most;
  private final Lookup<K, V> look;
  private final Map<K, CachedValue<V>> seen = new ConcurrentHashMap<>();

  /// `look` reads from these tables and no others, a few rows that are found by their keys. At
  /// `most` so many are kept.
  public ReadThroughCache(Database database, Set<String> tables, int most, Lookup<K, V> look) {
    this.database = database;
    this.tables = Set.copyOf(tables);
    this.most = most;
    this.look = look;
  }

  /// Finds a value in the database.
  @FunctionalInterface
  public interface Lookup<K, V> {
    V at(Tx tx, K key);
  }

  /// A value, and how often its tables had changed before it was looked up.
  private record CachedValue<V>(long changes, V value) {}

  public V get(K key) {
    OptionalLong changes = database.changes(tables);
    if (changes.isEmpty()) {
      return database.glance(tx -> look.at(tx, key));
    }
    CachedValue<V> known = seen.get(key);
    if (known != null && known.changes() == changes.getAsLong()) {
      return known.value();
    }
    V value = database.glance(tx -> look.at(tx, key));
    if (seen.size() >= most) {
      // Those in use are soon here again; keeping count of who is would cost more.
      seen.clear();
    }
    seen.put(key, new CachedValue<>(changes.getAsLong(), value));
    return value;
  }
}
