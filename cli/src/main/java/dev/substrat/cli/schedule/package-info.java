/// Commands for goals and plans.
@NullMarked
package dev.substrat.cli.schedule;

import org.jspecify.annotations.NullMarked;
