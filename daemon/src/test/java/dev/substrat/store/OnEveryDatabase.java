package dev.substrat.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/// Runs the whole test class once per supported database, each time on an empty schema.
@ParameterizedClass(name = "{0}")
@ArgumentsSource(FreshDatabases.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnEveryDatabase {}
