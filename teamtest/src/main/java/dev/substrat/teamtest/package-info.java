/// Tests of teams: a real daemon in the test's process, with a manual clock.
@NullMarked
package dev.substrat.teamtest;

import org.jspecify.annotations.NullMarked;
