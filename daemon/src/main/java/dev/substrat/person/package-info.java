/// People who are known by a name, and what they may be called.
@NullMarked
package dev.substrat.person;

import org.jspecify.annotations.NullMarked;
