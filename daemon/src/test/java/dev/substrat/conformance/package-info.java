/// The official conformance suite, and what it expects to find behind the door.
@NullMarked
package dev.substrat.conformance;

import org.jspecify.annotations.NullMarked;
