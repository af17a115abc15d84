/// A daemon as seen from outside: where it listens, what it answers, what happens in it.
@NullMarked
package dev.substrat.cli.wire;

import org.jspecify.annotations.NullMarked;
