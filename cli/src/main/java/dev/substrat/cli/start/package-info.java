/// What the build does once so that commands start quickly ever after.
@NullMarked
package dev.substrat.cli.start;

import org.jspecify.annotations.NullMarked;
