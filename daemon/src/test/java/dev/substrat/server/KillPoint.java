package dev.substrat.server;

import java.util.Locale;

/// Point at which a daemon is killed: the n-th transaction of a step, before, in or after it.
record KillPoint(String step, Place place, int time) {

  /// Before the work, after the work but before the commit, and after the commit but before the
  /// acknowledgement.
  enum Place {
    BEFORE_IT_BEGINS,
    BEFORE_ITS_COMMIT,
    AFTER_ITS_COMMIT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /// The form in which it is passed to the daemon's process.
  String order() {
    return step + "|" + place.name() + "|" + time;
  }

  static KillPoint parse(String order) {
    String[] parts = order.split("\\|", 3);
    return new KillPoint(parts[0], Place.valueOf(parts[1]), Integer.parseInt(parts[2]));
  }

  @Override
  public String toString() {
    return "at " + step + ", " + place + ", time " + time;
  }
}
