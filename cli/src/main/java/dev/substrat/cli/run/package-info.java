/// Commands for runs.
@NullMarked
package dev.substrat.cli.run;

import org.jspecify.annotations.NullMarked;
