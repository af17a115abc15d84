/// The official conformance suite, and the fixtures that it expects from our server.
@NullMarked
package dev.substrat.conformance;

import org.jspecify.annotations.NullMarked;
