/// HTTP in both directions.
///
/// Belongs here: the server and the guarded client.
///
/// Does not belong here: routes of the API and anything that knows agents.
@NullMarked
package dev.substrat.http;

import org.jspecify.annotations.NullMarked;
