@NullMarked
package dev.substrat.cli.client;

import org.jspecify.annotations.NullMarked;
