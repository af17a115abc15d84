/// Database access: SQLite or PostgreSQL with one behaviour; transactions, group commit, dialects,
/// migrations.
///
/// Does not belong here: tables of a feature, which live with their feature.
@NullMarked
package dev.substrat.store;

import org.jspecify.annotations.NullMarked;
