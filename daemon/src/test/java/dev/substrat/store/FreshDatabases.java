package dev.substrat.store;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// One empty database of each kind per test class; JUnit closes them after the class. Classes with
/// [OnOneDatabase] get PostgreSQL only in the full suite. `-Dsubstrat.databases=sqlite` (or
/// `postgres`) leaves the other one out.
final class FreshDatabases implements ArgumentsProvider {
  private static final boolean FULL = Boolean.getBoolean("substrat.full");
  private static final String CHOSEN = System.getProperty("substrat.databases", "");

  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    boolean one = !FULL && context.getRequiredTestClass().isAnnotationPresent(OnOneDatabase.class);
    return Stream.of(Dialect.values())
        .filter(dialect -> !one || dialect == Dialect.SQLITE)
        .filter(dialect -> CHOSEN.isEmpty() || CHOSEN.equalsIgnoreCase(dialect.name()))
        .map(TestDatabase::fresh)
        .map(Arguments::of);
  }
}
