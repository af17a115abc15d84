/// Test doubles of the outside world: real databases, scripted models, npm programs, clocks.
@NullMarked
package dev.substrat.testkit;

import org.jspecify.annotations.NullMarked;
