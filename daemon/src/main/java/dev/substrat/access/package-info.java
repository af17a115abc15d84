/// Authentication and limits: who may do what, and how much.
///
/// Belongs here: tokens, people, rate limits, budgets.
///
/// Does not belong here: roles and scopes, which the HTTP server needs (`platform.identity`).
@NullMarked
package dev.substrat.access;

import org.jspecify.annotations.NullMarked;
