package dev.substrat.access.person;

import dev.substrat.store.Tx;

/// The one set of handles that agents and people share: nobody is called like anybody else.
public final class Handles {
  private Handles() {}

  /// Takes a handle for good, if it is free. Who wants the same one at the same time waits here for
  /// the end of this transaction.
  public static boolean claim(Tx tx, String handle) {
    return tx.update(
            "insert into handle (handle, skeleton) values (?, ?) on conflict do nothing",
            handle,
            NameSkeleton.of(handle))
        == 1;
  }

  /// Gives a handle back that nobody has any more.
  public static void release(Tx tx, String handle) {
    tx.update("delete from handle where handle = ?", handle);
  }

  /// The first of `handle-2`, `handle-3` … that is free.
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
