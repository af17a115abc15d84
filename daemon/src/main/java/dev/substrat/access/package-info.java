/// What a caller may do: scopes, what each role includes, and the one place that decides.
@NullMarked
package dev.substrat.access;

import org.jspecify.annotations.NullMarked;
