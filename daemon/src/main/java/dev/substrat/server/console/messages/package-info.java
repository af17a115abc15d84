/// The console's Messages pages.
@NullMarked
package dev.substrat.server.console.messages;

import org.jspecify.annotations.NullMarked;
