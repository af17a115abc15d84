/// Pages of the console: records with the values of a page, and the templates that render them.
@NullMarked
package dev.substrat.console;

import org.jspecify.annotations.NullMarked;
