/// Commands about calls that wait for somebody.
@NullMarked
package dev.substrat.cli.pending;

import org.jspecify.annotations.NullMarked;
