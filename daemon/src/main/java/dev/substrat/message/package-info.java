/// Mail: sending, replying, and knowing where a message is.
@NullMarked
package dev.substrat.message;

import org.jspecify.annotations.NullMarked;
