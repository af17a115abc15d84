/// The console in a real browser.
@NullMarked
package dev.substrat.clients.browser;

import org.jspecify.annotations.NullMarked;
