/// Agent CLIs that a user describes in the configuration.
@NullMarked
package dev.substrat.provider.cli.custom;

import org.jspecify.annotations.NullMarked;
