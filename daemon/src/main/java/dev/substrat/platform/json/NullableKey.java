package dev.substrat.platform.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// An optional key of a record that may also be null in its input.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface NullableKey {}
