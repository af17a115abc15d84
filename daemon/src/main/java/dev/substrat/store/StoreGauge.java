package dev.substrat.store;

import java.util.List;
import java.util.function.Supplier;

/// Measured value of a database, for metrics: a pool, a queue, the size of a file. It is read
/// without a query, so that it is available while the database is down.
///
/// `tags` are alternating names and values.
public record StoreGauge(String name, List<String> tags, Supplier<Number> value) {
  StoreGauge(String name, Supplier<Number> value) {
    this(name, List.of(), value);
  }
}
