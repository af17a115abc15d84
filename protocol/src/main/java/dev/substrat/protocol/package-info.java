/// What crosses the wire between daemon, command line and bridge: the exception and its stable
/// codes, handles, HTTP responses and their events, and text that is safe to show.
@NullMarked
package dev.substrat.protocol;

import org.jspecify.annotations.NullMarked;
