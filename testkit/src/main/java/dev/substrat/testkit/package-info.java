/// The outside world, for tests: real databases and whatever else talks to a daemon.
@NullMarked
package dev.substrat.testkit;

import org.jspecify.annotations.NullMarked;
