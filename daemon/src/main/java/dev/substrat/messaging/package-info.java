/// Durable mailboxes.
///
/// Belongs here: inbox events and directed messages.
///
/// Does not belong here: spaces.
@NullMarked
package dev.substrat.messaging;

import org.jspecify.annotations.NullMarked;
