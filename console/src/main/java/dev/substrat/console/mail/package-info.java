/// Pages about mail: what came for the operator, and how far every message has come.
@NullMarked
package dev.substrat.console.mail;

import org.jspecify.annotations.NullMarked;
