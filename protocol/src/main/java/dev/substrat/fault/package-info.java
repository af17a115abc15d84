/// The one exception, from code to message.
@NullMarked
package dev.substrat.fault;

import org.jspecify.annotations.NullMarked;
