package dev.substrat.platform.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Minimum of a numeric property of a record. It is part of the schema, so a violation is reported
/// together with all other problems of the input.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Minimum {
  double value();
}
