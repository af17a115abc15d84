/// Lines for the operator tomorrow morning.
@NullMarked
package dev.substrat.log;

import org.jspecify.annotations.NullMarked;
