/// Page of approvals and questions to people.
@NullMarked
package dev.substrat.console.approvals;

import org.jspecify.annotations.NullMarked;
