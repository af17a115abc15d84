/// Agent CLIs that a user describes in the configuration.
@NullMarked
package dev.substrat.provider.agentcli.custom;

import org.jspecify.annotations.NullMarked;
