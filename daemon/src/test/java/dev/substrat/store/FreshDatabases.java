package dev.substrat.store;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// One empty database of each kind per test class; JUnit closes them after the class.
final class FreshDatabases implements ArgumentsProvider {
  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    return Stream.of(Dialect.values()).map(TestDatabase::fresh).map(Arguments::of);
  }
}
