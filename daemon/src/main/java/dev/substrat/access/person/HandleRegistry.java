package dev.substrat.access.person;

import dev.substrat.store.Tx;

/// Registry of handles, which agents and people share. A handle belongs to one agent or person.
public final class HandleRegistry {
  private HandleRegistry() {}

  /// Claims a handle permanently, if it is free. A concurrent claim of the same handle waits until
  /// this transaction ends.
  public static boolean claim(Tx tx, String handle) {
    return tx.update(
            "insert into handle (handle, skeleton) values (?, ?) on conflict do nothing",
            handle,
            NameSkeleton.of(handle))
        == 1;
  }

  /// Releases a handle that is not used any more.
  public static void release(Tx tx, String handle) {
    tx.update("delete from handle where handle = ?", handle);
  }

  /// The first free one of `handle-2`, `handle-3` …
  public static String nextFree(Tx tx, String handle) {
    int suffix = 2;
    while (isTaken(tx, handle + "-" + suffix)) {
      suffix++;
    }
    return handle + "-" + suffix;
  }

  private static boolean isTaken(Tx tx, String handle) {
    return tx.find("select 1 from handle where handle = ?", _ -> true, handle).isPresent();
  }
}
