/// What is installed on this machine and whether it works.
@NullMarked
package dev.substrat.cli.doctor;

import org.jspecify.annotations.NullMarked;
