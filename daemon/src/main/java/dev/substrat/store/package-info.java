/// Two databases, one behaviour: transactions, dialects, migrations.
@NullMarked
package dev.substrat.store;

import org.jspecify.annotations.NullMarked;
