@NullMarked
package dev.substrat.cli.doctor;

import org.jspecify.annotations.NullMarked;
