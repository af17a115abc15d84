/// The HTTP server and event streams; knows no agents.
@NullMarked
package dev.substrat.http;

import org.jspecify.annotations.NullMarked;
