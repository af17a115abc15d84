/// Approval requests of providers for actions of their own tools.
@NullMarked
package dev.substrat.toolset.approval;

import org.jspecify.annotations.NullMarked;
