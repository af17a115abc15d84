/// What was said, called and answered in a turn, once each.
@NullMarked
package dev.substrat.transcript;

import org.jspecify.annotations.NullMarked;
