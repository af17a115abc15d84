/// The web console: shared parts of its pages, sign-in, assets.
@NullMarked
package dev.substrat.server.console;

import org.jspecify.annotations.NullMarked;
