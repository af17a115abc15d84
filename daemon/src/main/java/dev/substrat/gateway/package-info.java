/// The gateway: tools that somebody configured, what they do, where they are shown, and who answers
/// them later.
@NullMarked
package dev.substrat.gateway;

import org.jspecify.annotations.NullMarked;
