/// Words that cross the wire: requests, replies and error codes.
@NullMarked
package dev.substrat.protocol;

import org.jspecify.annotations.NullMarked;
