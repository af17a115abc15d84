/// Typed identifiers, the principal a request acts for, and the permissions of callers: roles,
/// scopes, and the one place that decides.
@NullMarked
package dev.substrat.platform.identity;

import org.jspecify.annotations.NullMarked;
