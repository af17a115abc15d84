package dev.substrat.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/// Runs the whole test class on SQLite, and on every database in the full suite.
///
/// For packages without SQL: what they call is tested on every database in the packages that
/// contain the SQL. `HouseRulesTest` checks that all classes of such packages use this annotation
/// and no others do.
@ParameterizedClass(name = "{0}")
@ArgumentsSource(FreshDatabases.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnOneDatabase {}
