/// The team as a picture, and a closer look at one of its agents.
@NullMarked
package dev.substrat.console.team;

import org.jspecify.annotations.NullMarked;
