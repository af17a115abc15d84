@NullMarked
package dev.substrat.protocol;

import org.jspecify.annotations.NullMarked;
