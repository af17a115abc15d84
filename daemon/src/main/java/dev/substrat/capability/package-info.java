/// Capabilities that are data: tools and servers that somebody describes instead of programming.
@NullMarked
package dev.substrat.capability;

import org.jspecify.annotations.NullMarked;
