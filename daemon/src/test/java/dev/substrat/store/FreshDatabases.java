package dev.substrat.store;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// One empty database of each kind per test class; JUnit closes them after the class.
/// `-Dsubstrat.databases=sqlite` leaves PostgreSQL out: mutation tests run each class many times.
final class FreshDatabases implements ArgumentsProvider {
  private static final boolean SQLITE_ONLY =
      "sqlite".equals(System.getProperty("substrat.databases"));

  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    return Stream.of(Dialect.values())
        .filter(dialect -> dialect == Dialect.SQLITE || !SQLITE_ONLY)
        .map(TestDatabase::fresh)
        .map(Arguments::of);
  }
}
