/// Client for the daemon's HTTP API: address, requests, event stream, errors.
@NullMarked
package dev.substrat.cli.client;

import org.jspecify.annotations.NullMarked;
