/// The console: what people see of the engine, and what they do to it there.
@NullMarked
package dev.substrat.page;

import org.jspecify.annotations.NullMarked;
