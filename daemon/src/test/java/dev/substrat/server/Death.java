package dev.substrat.server;

import java.util.Locale;

/// Where a daemon is to die: at the n-th transaction of a step, at one of three places.
record Death(String step, Place place, int time) {

  /// Nothing of it has happened; all of it has but the commit; it is durable and nobody knows.
  enum Place {
    BEFORE_IT_BEGINS,
    BEFORE_ITS_COMMIT,
    AFTER_ITS_COMMIT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /// How it is told to the daemon's process.
  String order() {
    return step + "|" + place.name() + "|" + time;
  }

  static Death parse(String order) {
    String[] parts = order.split("\\|", 3);
    return new Death(parts[0], Place.valueOf(parts[1]), Integer.parseInt(parts[2]));
  }

  @Override
  public String toString() {
    return "at " + step + ", " + place + ", time " + time;
  }
}
