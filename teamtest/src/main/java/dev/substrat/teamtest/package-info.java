/// Tests of teams: a real daemon in the test's own process, on a clock that is moved by hand.
@NullMarked
package dev.substrat.teamtest;

import org.jspecify.annotations.NullMarked;
