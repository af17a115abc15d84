/// Parsing and classification of target addresses, for the guarded HTTP client.
@NullMarked
package dev.substrat.http.address;

import org.jspecify.annotations.NullMarked;
