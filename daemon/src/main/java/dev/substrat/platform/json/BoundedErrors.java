package dev.substrat.platform.json;

import com.networknt.schema.Error;
import dev.substrat.protocol.Fault;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// List of validation errors that keeps the first 20 relevant ones and only counts the rest.
///
/// The validator compares sizes of this list to see whether a part of the schema was violated, so
/// its size is the number of errors that were added, not of those that were kept.
final class BoundedErrors extends AbstractList<Error> {
  private final Predicate<Error> counts;
  private final List<Error> kept = new ArrayList<>();
  private int added;
  private int more;

  BoundedErrors(Predicate<Error> counts) {
    this.counts = counts;
  }

  @Override
  public boolean add(Error error) {
    added++;
    if (counts.test(error)) {
      if (kept.size() < Fault.MOST_DETAILS) {
        kept.add(error);
      } else {
        more++;
      }
    }
    return true;
  }

  @Override
  public Error get(int index) {
    return kept.get(index);
  }

  @Override
  public int size() {
    return added;
  }

  List<Error> kept() {
    return kept;
  }

  /// Number of errors that count and were not kept.
  int more() {
    return more;
  }
}
