/// Settings; an unknown key is an error.
@NullMarked
package dev.substrat.config;

import org.jspecify.annotations.NullMarked;
