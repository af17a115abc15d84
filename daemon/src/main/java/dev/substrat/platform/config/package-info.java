/// Settings of the daemon. An unknown key is an error.
@NullMarked
package dev.substrat.platform.config;

import org.jspecify.annotations.NullMarked;
