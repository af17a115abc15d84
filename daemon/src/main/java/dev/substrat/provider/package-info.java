/// Providers: they run the turns of agents.
///
/// Belongs here: the interface of providers, and all providers.
///
/// Does not belong here: when a turn runs; that is `turn`.
@NullMarked
package dev.substrat.provider;

import org.jspecify.annotations.NullMarked;
