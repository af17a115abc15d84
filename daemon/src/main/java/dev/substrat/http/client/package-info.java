/// Guarded HTTP client: the only way to addresses that come from a configuration. Checks each
/// address, redirect and deadline.
@NullMarked
package dev.substrat.http.client;

import org.jspecify.annotations.NullMarked;
