/// Console pages of approvals and other pending calls.
@NullMarked
package dev.substrat.server.console.approvals;

import org.jspecify.annotations.NullMarked;
