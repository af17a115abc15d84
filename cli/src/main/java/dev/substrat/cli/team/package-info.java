/// Commands `apply` and `export`: whole teams as files.
@NullMarked
package dev.substrat.cli.team;

import org.jspecify.annotations.NullMarked;
