/// HTTP server: request checks, routing, bodies, event streams, TLS. Knows no agents.
@NullMarked
package dev.substrat.http.server;

import org.jspecify.annotations.NullMarked;
