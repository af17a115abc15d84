/// What people look at: records that know everything a page shows, and templates that draw them.
@NullMarked
package dev.substrat.console;

import org.jspecify.annotations.NullMarked;
