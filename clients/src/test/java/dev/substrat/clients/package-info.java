/// Tests with third-party MCP clients, agent CLIs and a browser.
@NullMarked
package dev.substrat.clients;

import org.jspecify.annotations.NullMarked;
