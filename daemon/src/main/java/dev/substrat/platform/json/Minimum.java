package dev.substrat.platform.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The smallest number that a key of a record may have. It is part of the schema, so that a value
/// that cannot be is told together with everything else that is wrong.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Minimum {
  double value();
}
