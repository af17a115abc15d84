/// Agents that people take along: who there is, and what another mind must be told to be one of
/// them.
@NullMarked
package dev.substrat.zoo;

import org.jspecify.annotations.NullMarked;
