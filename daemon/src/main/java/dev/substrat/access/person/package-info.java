/// People, the handles that they share with agents, and the check for look-alike names.
@NullMarked
package dev.substrat.access.person;

import org.jspecify.annotations.NullMarked;
