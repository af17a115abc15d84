/// Agents as reusable descriptions.
///
/// Belongs here: templates, exports, and the zoo.
@NullMarked
package dev.substrat.catalog;

import org.jspecify.annotations.NullMarked;
