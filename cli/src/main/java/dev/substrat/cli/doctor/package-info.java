/// The command `doctor`: checks of this machine.
@NullMarked
package dev.substrat.cli.doctor;

import org.jspecify.annotations.NullMarked;
