/// Whole teams as files: declare one, take one down.
@NullMarked
package dev.substrat.cli.team;

import org.jspecify.annotations.NullMarked;
